//===--- HTTPServer.swift - an HTTP server for tests ----------------------===//
//
// One thread accepts connections. One thread per connection reads its requests and calls a handler.
//
// Contract  Listens on the loopback address. A client that sends no valid request is disconnected.
// Source    RFC 9110, RFC 9112
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

/// An HTTP/1.1 server for clients on the same machine.
package final class HTTPServer: Sendable {
  /// Responds to a request on its connection; returns `false` to end the connection.
  package typealias Handler =
    @Sendable (RequestHead, HTTPConnection) throws(SocketError) -> Bool

  private struct State {
    var isStopped = false
    var connections: [ObjectIdentifier: Socket] = [:]
  }

  private let listener: Socket
  private let handler: Handler
  private let state = Mutex(State())

  /// The port that the server listens on.
  package let port: UInt16

  /// A server on a free port. It responds once it is started.
  package init(handler: @escaping Handler) throws(SocketError) {
    listener = try Socket.listening()
    port = listener.port
    self.handler = handler
  }

  /// Serves on its own threads until `stop` is called.
  package func start() { Thread.detachNewThread { [self] in run() } }

  /// Serves on the calling thread until `stop` is called.
  package func run() {
    while !state.withLock({ $0.isStopped }) {
      guard let socket = listener.accept() else { continue }
      Thread.detachNewThread { [self] in serve(socket) }
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

  private func serve(_ socket: Socket) {
    let isStopped = state.withLock { state in
      state.connections[ObjectIdentifier(socket)] = socket
      return state.isStopped
    }
    defer { state.withLock { $0.connections[ObjectIdentifier(socket)] = nil } }
    guard !isStopped else { return }
    let connection = HTTPConnection(socket)
    while let request = connection.nextRequest() {
      guard let isKept = try? handler(request, connection), isKept else { return }
    }
  }
}
