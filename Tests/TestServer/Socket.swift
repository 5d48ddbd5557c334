//===--- Socket.swift - TCP sockets on the loopback address ---------------===//
//
// Contract  A socket is closed with its last reference; `shutDown` wakes waiting threads. A
//           connection that neither sends nor receives for half a minute is an error.
//===----------------------------------------------------------------------===//

import MartletCLibrary

#if canImport(Darwin)
  private let stream = SOCK_STREAM
  private let sendFlags: Int32 = 0
#else
  private let stream = Int32(SOCK_STREAM.rawValue)
  private let sendFlags = Int32(MSG_NOSIGNAL)
#endif

/// The number of a system call's error; 0 if the client has closed the connection.
package struct SocketError: Error {
  let number: Int32
}

/// A socket that listens, or one end of a connection.
final class Socket: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // Programs that tests start must not keep the connection open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { _ = close(descriptor) }

  /// A socket that listens on a free port.
  static func listening() throws(SocketError) -> Socket {
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw SocketError(number: errno) }
    let listener = Socket(descriptor)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafeBytes(of: &name) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        bind(descriptor, $0.baseAddress, socklen_t(bytes.count))
      }
    }
    guard status == 0, listen(descriptor, 64) == 0 else { throw SocketError(number: errno) }
    return listener
  }

  /// The port that the socket listens on.
  var port: UInt16 {
    var name = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutableBytes(of: &name) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &size) }
    }
    return UInt16(bigEndian: name.sin_port)
  }

  /// Returns the next connection, or `nil` if none arrives within 100 ms.
  func accept() -> Socket? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 100) > 0 else { return nil }
    #if canImport(Darwin)
      let accepted = Darwin.accept(descriptor, nil, nil)
    #else
      let accepted = Glibc.accept(descriptor, nil, nil)
    #endif
    guard accepted >= 0 else { return nil }
    let connection = Socket(accepted)
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    connection.set(SOL_SOCKET, SO_RCVTIMEO, &limit)
    connection.set(SOL_SOCKET, SO_SNDTIMEO, &limit)
    var isOn: Int32 = 1
    connection.set(Int32(IPPROTO_TCP), TCP_NODELAY, &isOn)
    #if canImport(Darwin)
      connection.set(SOL_SOCKET, SO_NOSIGPIPE, &isOn)
    #endif
    return connection
  }

  private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: inout Value) {
    let size = socklen_t(MemoryLayout<Value>.size)
    _ = withUnsafeBytes(of: &value) { setsockopt(descriptor, level, option, $0.baseAddress, size) }
  }

  /// Receives some bytes; none at the end of the stream or if the connection fails.
  func receive() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  func send(_ bytes: some Collection<UInt8>) throws(SocketError) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
        #else
          Glibc.send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
        #endif
      }
      guard count > 0 else { throw SocketError(number: count < 0 ? errno : 0) }
      rest = rest.dropFirst(count)
    }
  }

  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Makes closing the socket a reset, so that the client sees an error.
  func resetWhenClosed() {
    var option = linger(l_onoff: 1, l_linger: 0)
    set(SOL_SOCKET, SO_LINGER, &option)
  }
}
