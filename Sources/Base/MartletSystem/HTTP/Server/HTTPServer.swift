//===--- HTTPServer.swift - a small HTTP server ---------------------------===//
//
// One thread accepts connections. One thread per connection reads its requests and calls a handler.
//
// Contract  Serves until it is stopped, whatever clients send. A connection beyond the limit
//           replaces the oldest one without a complete request. If there is none, or no thread can
//           be started, the response is 503. For up to twice the limit, a thread reads what a
//           refused client sends; otherwise the client's system would discard the response.
// Source    RFC 9110, RFC 9112
// Checked   Tests/MartletSystemTests/HTTP/HTTPServerTests.swift
//===----------------------------------------------------------------------===//

import Synchronization

/// An HTTP/1.1 server.
package final class HTTPServer: Sendable {
  /// The limits for clients.
  package struct Limits: Sendable {
    package var connections = 64
    /// The time limit for the head of a request.
    package var head = Duration.seconds(10)
    /// The longest time in which a client may receive nothing of a response.
    package var idle = Duration.seconds(30)
    /// The time of responses, in seconds since 1970.
    package var now: @Sendable () -> Int = { WallClock.secondsSince1970 }

    package init() {}
  }

  /// Responds to a request on its connection; returns `false` to end the connection.
  package typealias Handler =
    @Sendable (RequestHead, HTTPConnection) throws(SocketError) -> Bool

  private struct State {
    var isStopped = false
    var next = 0
    var connections: [Int: SystemSocket] = [:]
    /// The connections without a complete request yet.
    var silent: Set<Int> = []
    /// The number of connections that are only being refused.
    var refusals = 0
  }

  /// A connection's place among all connections.
  private struct Place {
    let number: Int
    let isRefused: Bool
  }

  private let listener: SystemSocket
  private let limits: Limits
  private let handler: Handler
  private let state = Mutex(State())

  /// A server at a numeric address, by default the loopback address. Port 0 selects a free port. It
  /// responds once it is started.
  package init(
    address: String = "127.0.0.1", port: UInt16 = 0, limits: Limits = Limits(),
    handler: @escaping Handler
  ) throws(SocketError) {
    listener = try SystemSocket(listeningAt: address, port: port)
    self.limits = limits
    self.handler = handler
  }

  /// The port that the server listens on.
  package var port: UInt16 { listener.port }

  /// Serves on its own threads until `stop` is called.
  package func start() throws(SocketError) {
    do throws(SystemError) {
      try Threads.start { [self] in run() }
    } catch { throw .system(errno: error.number) }
  }

  /// Serves on the calling thread until `stop` is called.
  package func run() {
    while !state.withLock({ $0.isStopped }) {
      guard let socket = try? listener.accept(within: .milliseconds(100)) else { continue }
      guard let place = admit(socket) else {
        _ = refuse(socket)
        continue
      }
      do throws(SystemError) {
        try Threads.start { [self] in
          if place.isRefused { refuse(socket).finish() } else { serve(socket, place.number) }
          leave(place)
        }
      } catch {
        leave(place)
        _ = refuse(socket)
      }
    }
  }

  /// Ends all connections and accepts no more.
  package func stop() {
    let connections = state.withLock { state in
      state.isStopped = true
      return Array(state.connections.values)
    }
    for connection in connections { connection.shutDown() }
  }

  private func admit(_ socket: SystemSocket) -> Place? {
    state.withLock { state in
      var isRefused = state.connections.count - state.refusals >= limits.connections
      if isRefused, let oldest = state.silent.min() {
        state.silent.remove(oldest)
        state.connections.removeValue(forKey: oldest)?.shutDown()
        isRefused = false
      }
      guard !state.isStopped, !isRefused || state.refusals < limits.connections else { return nil }
      state.next += 1
      state.connections[state.next] = socket
      if isRefused { state.refusals += 1 } else { state.silent.insert(state.next) }
      return Place(number: state.next, isRefused: isRefused)
    }
  }

  private func leave(_ place: Place) {
    state.withLock { state in
      state.connections[place.number] = nil
      state.silent.remove(place.number)
      if place.isRefused { state.refusals -= 1 }
    }
  }

  private func refuse(_ socket: SystemSocket) -> HTTPConnection {
    let connection = HTTPConnection(socket, limits)
    _ = try? connection.send(
      HTTPResponse(503, ["Retry-After": "1"], text: "too many connections"), to: nil)
    return connection
  }

  private func serve(_ socket: SystemSocket, _ number: Int) {
    let connection = HTTPConnection(socket, limits)
    do throws(HTTPConnectionError) {
      while let request = try connection.nextRequest() {
        state.withLock { _ = $0.silent.remove(number) }
        do throws(SocketError) {
          guard try handler(request, connection) else { break }
        } catch { return }
      }
    } catch .request(let error) {
      var response = HTTPResponse(error.rawValue, text: "\(error)")
      if error == .method {
        response.fields.add("Allow", RequestHead.methods.joined(separator: ", "))
      }
      _ = try? connection.send(response, to: nil)
    } catch { return }
    connection.finish()
  }
}
