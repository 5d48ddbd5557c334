//===--- HTTPConnection.swift - a connection with a client ----------------===//
//
// Contract  A head must arrive within its time limit, even if it arrives slowly. A client that
//           receives nothing for the idle limit is disconnected.
// Checked   Tests/MartletSystemTests/HTTP/HTTPServerTests.swift
//===----------------------------------------------------------------------===//

/// A connection with a client. Use it on one thread.
package final class HTTPConnection {
  private let socket: SystemSocket
  private let limits: HTTPServer.Limits
  private var received: [UInt8] = []
  private var isReset = false

  init(_ socket: SystemSocket, _ limits: HTTPServer.Limits) {
    self.socket = socket
    self.limits = limits
  }

  /// Returns the head of the next request, or `nil` if the client sends no more.
  func nextRequest() throws(HTTPConnectionError) -> RequestHead? {
    let deadline = MonotonicClock.now + limits.head
    while true {
      if let end = endOfHead() {
        let head = Array(received[..<end])
        received.removeFirst(end)
        do { return try RequestHead(head) } catch { throw .request(error) }
      }
      guard received.count < RequestHead.maximumSize else {
        throw .request(
          received.contains(0x0A) ? RequestError.fieldsTooLarge : RequestError.targetTooLong)
      }
      switch more(by: deadline) {
      case .success(let bytes) where !bytes.isEmpty: received += bytes
      case .success where received.isEmpty, .failure(.timedOut) where received.isEmpty: return nil
      case .success: throw .socket(.closed)
      case .failure(.timedOut): throw .request(.timedOut)
      case .failure(let error): throw .socket(error)
      }
    }
  }

  private func more(by deadline: Duration) -> Result<[UInt8], SocketError> {
    Result { () throws(SocketError) in try socket.receive(upTo: 4096, by: deadline) }
  }

  /// The length of the first head in the received bytes; `nil` if it is incomplete.
  private func endOfHead() -> Int? {
    guard received.count >= 4 else { return nil }
    for index in 3..<received.count where received[index] == 0x0A {
      if received[index - 1] == 0x0D, received[index - 2] == 0x0A, received[index - 3] == 0x0D {
        return index + 1
      }
    }
    return nil
  }

  /// Sends bytes unchanged.
  package func send(_ bytes: [UInt8]) throws(SocketError) {
    try socket.send(bytes.span, limit: limits.idle)
  }

  /// Sends a response, without its body for `HEAD`. Returns `false` if the connection must end.
  ///
  /// - Parameter beforePiece: Called with the size of each piece of the body before it is sent.
  package func send(
    _ response: HTTPResponse, to request: RequestHead?,
    beforePiece: (Int) -> Void = { _ in }
  ) throws(SocketError) -> Bool {
    let keepsConnection = request?.keepsConnection ?? false
    try send(response.head(date: limits.now(), keepsConnection: keepsConnection))
    guard response.hasBody, request?.method != "HEAD" else { return keepsConnection }
    switch response.body {
    case .bytes(let bytes):
      beforePiece(bytes.count)
      try send(bytes)
    case .file(let file, let range):
      let isWhole = try file.forEachPiece(of: range) { piece throws(SocketError) in
        beforePiece(piece.count)
        try socket.send(piece, limit: limits.idle)
      }
      // Otherwise the client could take a partial response for the whole.
      guard isWhole else {
        reset()
        return false
      }
    }
    return keepsConnection
  }

  /// Resets the connection, so that the client does not take a partial response for the whole.
  package func reset() {
    isReset = true
    socket.resetWhenClosed()
  }

  /// Ends the connection so that the client can still read the last response, even if it sent
  /// unread bytes. Does nothing after `reset()`, because a normal end would look like a complete
  /// response.
  func finish() {
    if isReset { return }
    socket.shutDownSending()
    let deadline = MonotonicClock.now + .seconds(1)
    var rest = 1 << 20
    while rest > 0, let bytes = try? socket.receive(upTo: 1 << 16, by: deadline), !bytes.isEmpty {
      rest -= bytes.count
    }
  }
}

/// The reason why a connection has no request.
enum HTTPConnectionError: Error, Equatable {
  case request(RequestError)
  case socket(SocketError)
}
