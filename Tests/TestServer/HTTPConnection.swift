//===--- HTTPConnection.swift - a connection with a client ----------------===//

import Foundation

/// A connection with a client. Use it on one thread.
package final class HTTPConnection {
  private static let endOfHead = Array("\r\n\r\n".utf8)
  private static let maximumHeadSize = 1 << 16

  private let socket: Socket
  private var received: [UInt8] = []

  init(_ socket: Socket) { self.socket = socket }

  /// Returns the head of the next request, or `nil` if the client sends no valid one.
  func nextRequest() -> RequestHead? {
    while received.count < HTTPConnection.maximumHeadSize {
      if let end = received.firstRange(of: HTTPConnection.endOfHead) {
        let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
        received.removeSubrange(..<end.upperBound)
        return RequestHead(head)
      }
      let bytes = socket.receive()
      guard !bytes.isEmpty else { return nil }
      received += bytes
    }
    return nil
  }

  /// Sends bytes unchanged.
  package func send(_ bytes: [UInt8]) throws(SocketError) { try socket.send(bytes) }

  /// Sends a response. Returns `false` if the connection must end.
  ///
  /// - Parameter rate: The number of bytes of the body to send per second; `nil` for no limit.
  package func send(
    _ response: HTTPResponse, to request: RequestHead, rate: Int? = nil
  ) throws(SocketError) -> Bool {
    try socket.send(response.head(keepsConnection: request.keepsConnection))
    var rest = response.body[...]
    while !rest.isEmpty {
      let piece = rest.prefix(rate == nil ? rest.count : 1 << 14)
      rest = rest.dropFirst(piece.count)
      if let rate { Thread.sleep(forTimeInterval: Double(piece.count) / Double(rate)) }
      try socket.send(piece)
    }
    return request.keepsConnection
  }

  /// Makes the end of the connection a reset.
  package func reset() { socket.resetWhenClosed() }
}
