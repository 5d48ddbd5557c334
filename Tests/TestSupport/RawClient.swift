//===--- RawClient.swift - sends and receives raw bytes -------------------===//

import MartletBase

import MartletCLibrary

/// A connection to a local server that sends exactly the given bytes.
package final class RawClient: Sendable {
  private let descriptor: Int32
  private let resets = Mutex(false)

  /// Connects to a local port; `nil` if nothing listens there.
  package init?(port: UInt16) {
    #if os(Linux)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafeBytes(of: &name) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
      }
    }
    guard status == 0 else {
      _ = close(descriptor)
      return nil
    }
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    _ = setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { _ = close(descriptor) }

  /// Sends text unchanged.
  package func send(_ text: String) {
    let bytes = Array(text.utf8)
    #if os(Linux)
      _ = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
    #else
      _ = bytes.withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, 0) }
    #endif
  }

  /// Ends sending.
  package func finish() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Whether the connection was reset.
  package var wasReset: Bool { resets.withLock { $0 } }

  /// Everything that the server sends until it closes the connection, is silent for half a minute,
  /// or `count` bytes are received.
  package func receive(upTo count: Int = .max) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while all.count < count {
      let received = chunk.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress, min($0.count, count - all.count), 0)
      }
      if received < 0, errno == ECONNRESET { resets.withLock { $0 = true } }
      if received <= 0 { break }
      all += chunk[..<received]
    }
    return all
  }

  /// Everything that a server sends in response to `text`.
  package static func ask(_ port: UInt16, _ text: String) -> String {
    guard let client = RawClient(port: port) else { return "" }
    client.send(text)
    client.finish()
    return String(decoding: client.receive(), as: UTF8.self)
  }
}
