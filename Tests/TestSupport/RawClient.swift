//===--- RawClient.swift - bytes to a server and back, as they are --------===//

import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A connection to a server on this machine that sends any bytes, and only those.
package final class RawClient: Sendable {
  private let descriptor: Int32
  private let resets = Atomic(false)

  /// A connection to a port of this machine; `nil` if nobody listens there.
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

  /// Sends text as it is.
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

  /// Says that nothing more will be sent.
  package func finish() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Whether the last that was heard of the server was a reset.
  package var wasReset: Bool { resets.load(ordering: .relaxed) }

  /// All that the server sends until it ends the connection, is silent for half a minute, or until `count`
  /// bytes are there.
  package func receive(upTo count: Int = .max) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while all.count < count {
      let received = chunk.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress, min($0.count, count - all.count), 0)
      }
      if received < 0, errno == ECONNRESET { resets.store(true, ordering: .relaxed) }
      if received <= 0 { break }
      all += chunk[..<received]
    }
    return all
  }

  /// What a server answers to `text` until it ends the connection.
  package static func ask(_ port: UInt16, _ text: String) -> String {
    guard let client = RawClient(port: port) else { return "" }
    client.send(text)
    client.finish()
    return String(decoding: client.receive(), as: UTF8.self)
  }
}
