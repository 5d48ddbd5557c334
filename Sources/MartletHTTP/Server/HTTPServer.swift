//===--- HTTPServer.swift - a small server --------------------------------===//
//
// A thread that accepts connections and one for each of them, which reads request after request and
// has each answered by a closure.
//
// Contract  Serves until it is stopped, whatever clients send. A connection beyond the limit takes the place of the
//           oldest one that has sent no whole request yet. If there is none, it is answered with 503, as are
//           connections that no thread can be had for; up to twice the limit, a thread reads what the
//           client sends meanwhile, as its system would throw the answer away with the connection otherwise.
// Source    RFC 9110, RFC 9112
// Checked   Tests/MartletHTTPTests/HTTPServerTests.swift
//===----------------------------------------------------------------------===//

import MartletSystem
import Synchronization

/// A server of HTTP/1.1.
package final class HTTPServer: Sendable {
  /// What clients may take.
  package struct Limits: Sendable {
    package var connections = 64
    /// How long a client may take over a request's head.
    package var head = Duration.seconds(10)
    /// How long a client may take nothing of what is sent to it.
    package var idle = Duration.seconds(30)
    /// The time that answers carry, in seconds since 1970.
    package var now: @Sendable () -> Int = { WallClock.secondsSince1970 }

    package init() {}
  }

  /// Answers a request on its connection; `false` ends the connection.
  package typealias Handler =
    @Sendable (RequestHead, HTTPConnection) throws(SocketError) -> Bool

  private struct State {
    var isStopped = false
    var next = 0
    var connections: [Int: SystemSocket] = [:]
    /// Those of them whose first request has not come yet.
    var silent: Set<Int> = []
    /// How many of them are only refused.
    var refusals = 0
  }

  /// The place of a connection among all.
  private struct Place {
    let number: Int
    let isRefused: Bool
  }

  private let listener: SystemSocket
  private let limits: Limits
  private let handler: Handler
  private let state = Mutex(State())

  /// A server at a numeric address, that of this machine alone unless another is given; port 0 is
  /// any free one. It answers once it is started.
  package init(
    address: String = "127.0.0.1", port: UInt16 = 0, limits: Limits = Limits(),
    handler: @escaping Handler
  ) throws(SocketError) {
    listener = try SystemSocket(listeningAt: address, port: port)
    self.limits = limits
    self.handler = handler
  }

  /// The port that the server listens at.
  package var port: UInt16 { listener.port }

  /// Answers on threads of its own until `stop` is called.
  package func start() throws(SocketError) {
    do throws(SystemError) {
      try Threads.start { [self] in run() }
    } catch { throw .system(errno: error.number) }
  }

  /// Answers until `stop` is called.
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

  /// Ends all connections and takes no more.
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
