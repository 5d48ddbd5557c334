//===--- SystemSocket.swift - stream sockets ------------------------------===//
//
// Contract  Every wait has a deadline, by `MonotonicClock`. A socket is closed with its last
//           reference; `shutDown` wakes waiting threads. Only numeric addresses: no name is
//           resolved.
// Checked   Tests/MartletSystemTests/HTTP/HTTPServerTests.swift
//===----------------------------------------------------------------------===//

/// An error of a socket.
package enum SocketError: Error, Equatable, Sendable {
  /// The text is not a numeric IPv4 or IPv6 address.
  case address(String)
  /// A system call failed with this number.
  case system(errno: Int32)
  /// The deadline has passed.
  case timedOut
  /// The peer has closed the connection.
  case closed
}

extension SocketError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .address(let text): "\(text) is not a numeric address"
    case .system(let number): "\(SystemError(number))"
    case .timedOut: "nothing came in time"
    case .closed: "the other side has closed"
    }
  }
}

/// A stream socket that listens, or one end of a connection.
package final class SystemSocket: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = close(descriptor) }

  // MARK: - Listening

  /// A socket that listens at a numeric address; port 0 selects a free port.
  package convenience init(
    listeningAt address: String, port: UInt16, backlog: Int32 = 64
  ) throws(SocketError) {
    let family = address.contains(":") ? AF_INET6 : AF_INET
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { throw .system(errno: errno) }
    self.init(descriptor)
    SystemSocket.keepFromChildren(descriptor)
    set(SOL_SOCKET, SO_REUSEADDR, 1)
    let bound =
      try family == AF_INET
      ? SystemSocket.bind(descriptor, ipv4: address, port: port)
      : SystemSocket.bind(descriptor, ipv6: address, port: port)
    guard bound == 0, listen(descriptor, backlog) == 0 else { throw .system(errno: errno) }
  }

  // Pointers passed to the system are valid during the call, and their sizes are passed too.

  private static func bind(
    _ descriptor: Int32, ipv4 address: String, port: UInt16
  ) throws(SocketError) -> Int32 {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    guard unsafe inet_pton(AF_INET, address, &name.sin_addr) == 1 else { throw .address(address) }
    return unsafe withUnsafeBytes(of: &name) { unsafe bind(descriptor, $0) }
  }

  private static func bind(
    _ descriptor: Int32, ipv6 address: String, port: UInt16
  ) throws(SocketError) -> Int32 {
    var name = sockaddr_in6()
    name.sin6_family = sa_family_t(AF_INET6)
    name.sin6_port = port.bigEndian
    guard unsafe inet_pton(AF_INET6, address, &name.sin6_addr) == 1 else {
      throw .address(address)
    }
    return unsafe withUnsafeBytes(of: &name) { unsafe bind(descriptor, $0) }
  }

  private static func bind(_ descriptor: Int32, _ name: UnsafeRawBufferPointer) -> Int32 {
    unsafe name.withMemoryRebound(to: sockaddr.self) { address in
      #if canImport(Darwin)
        unsafe Darwin.bind(descriptor, address.baseAddress, socklen_t(name.count))
      #elseif canImport(Glibc)
        unsafe Glibc.bind(descriptor, address.baseAddress, socklen_t(name.count))
      #else
        unsafe Musl.bind(descriptor, address.baseAddress, socklen_t(name.count))
      #endif
    }
  }

  /// The port that the socket listens on.
  package var port: UInt16 {
    var name = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutableBytes(of: &name) { bytes in
      let status = unsafe bytes.withMemoryRebound(to: sockaddr.self) {
        unsafe getsockname(descriptor, $0.baseAddress, &size)
      }
      // Family and port have the same offset in both kinds of address.
      return status == 0
        ? UInt16(bigEndian: unsafe bytes.load(fromByteOffset: 2, as: UInt16.self)) : 0
    }
  }

  /// Returns the next connection, or `nil` if none arrives in time.
  package func accept(within limit: Duration) throws(SocketError) -> SystemSocket? {
    guard try wait(for: Int16(POLLIN), until: MonotonicClock.now + limit) else { return nil }
    #if canImport(Darwin)
      let accepted = Darwin.accept(descriptor, nil, nil)
    #elseif canImport(Glibc)
      let accepted = Glibc.accept(descriptor, nil, nil)
    #else
      let accepted = Musl.accept(descriptor, nil, nil)
    #endif
    guard accepted >= 0 else {
      // Clients that have disconnected, and a temporarily full file table, are not fatal.
      switch errno {
      case ECONNABORTED, EINTR, EMFILE, ENFILE, EAGAIN, ENOBUFS, ENOMEM: return nil
      default: throw .system(errno: errno)
      }
    }
    let connection = SystemSocket(accepted)
    SystemSocket.keepFromChildren(accepted)
    connection.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    #if canImport(Darwin)
      connection.set(SOL_SOCKET, SO_NOSIGPIPE, 1)
    #endif
    return connection
  }

  private static func keepFromChildren(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    _ = unsafe setsockopt(
      descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}

// MARK: - Bytes

extension SystemSocket {
  /// Receives up to `count` bytes, at least one; none at the end of the stream. The system writes
  /// no more bytes than the buffer has, and returns their number.
  package func receive(
    upTo count: Int, by deadline: Duration
  ) throws(SocketError) -> [UInt8] {
    guard try wait(for: Int16(POLLIN), until: deadline) else { throw .timedOut }
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let received = unsafe recv(descriptor, buffer.baseAddress, count, 0)
      failure = received < 0 ? errno : 0
      initialized = max(0, received)
    }
    guard failure == 0 else {
      throw failure == ECONNRESET ? .closed : .system(errno: failure)
    }
    return bytes
  }

  /// Sends all of `bytes`; the time limit restarts whenever the peer accepts some.
  package func send(_ bytes: Span<UInt8>, limit: Duration) throws(SocketError) {
    var position = 0
    while position < bytes.count {
      let deadline = MonotonicClock.now + limit
      guard try wait(for: Int16(POLLOUT), until: deadline) else { throw .timedOut }
      let sent = unsafe bytes.extracting(position...).withUnsafeBytes { unsafe sendAtOnce($0) }
      guard sent >= 0 else {
        switch errno {
        case EINTR, EAGAIN: continue
        case EPIPE, ECONNRESET: throw .closed
        default: throw .system(errno: errno)
        }
      }
      position += sent
    }
  }

  /// Passes as many of `bytes` to the system as it accepts without waiting. Returns their number,
  /// or -1 with `errno` if there are none. The system reads the bytes before the call returns.
  private func sendAtOnce(_ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      let flags = MSG_DONTWAIT
    #else
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    #endif
    #if canImport(Darwin)
      return unsafe Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
    #elseif canImport(Glibc)
      return unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
    #else
      return unsafe Musl.send(descriptor, bytes.baseAddress, bytes.count, flags)
    #endif
  }

  /// Shuts down both directions and wakes waiting threads.
  package func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Shuts down sending; the peer can read the rest of the data.
  package func shutDownSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes closing the socket a reset, so that the peer sees an error.
  package func resetWhenClosed() {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Waits until the socket is ready; returns whether it is before the deadline.
  private func wait(
    for events: Int16, until deadline: Duration
  ) throws(SocketError) -> Bool {
    while true {
      let rest = max(.zero, deadline - MonotonicClock.now)
      let milliseconds = (min(rest, .seconds(60)).nanoseconds + 999_999) / 1_000_000
      var entry = pollfd(fd: descriptor, events: events, revents: 0)
      let ready = unsafe poll(&entry, 1, Int32(milliseconds))
      if ready > 0 { return true }
      if ready < 0, errno != EINTR { throw .system(errno: errno) }
      if rest == .zero { return false }
    }
  }
}
