//===--- Darwin.swift - what Martlet uses of Apple's C library ------------===//
//
// Source    The headers at https://github.com/apple-oss-distributions (xnu: bsd/sys and
//           bsd/netinet; Libc; libpthread), as Swift imports them. Declarations only, for the
//           compiler; structures have only the members that are used.
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import DarwinTypes

public typealias socklen_t = UInt32
public typealias sa_family_t = UInt8
public typealias nfds_t = UInt32

public var errno: Int32 {
  get { fatalError() }
  set { fatalError() }
}

public var EINTR: Int32 { fatalError() }
public var EAGAIN: Int32 { fatalError() }
public var ENOMEM: Int32 { fatalError() }
public var ENFILE: Int32 { fatalError() }
public var EMFILE: Int32 { fatalError() }
public var EPIPE: Int32 { fatalError() }
public var ENOENT: Int32 { fatalError() }
public var EACCES: Int32 { fatalError() }
public var EEXIST: Int32 { fatalError() }
public var EISDIR: Int32 { fatalError() }
public var EINVAL: Int32 { fatalError() }
public var ECONNABORTED: Int32 { fatalError() }
public var ECONNRESET: Int32 { fatalError() }
public var ENOBUFS: Int32 { fatalError() }

public func strerror(_ number: Int32) -> UnsafeMutablePointer<CChar>! { fatalError() }
public func exit(_ status: Int32) -> Never { fatalError() }
@discardableResult
public func isatty(_ descriptor: Int32) -> Int32 { fatalError() }
public func getenv(_ name: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { fatalError() }

// MARK: - Time, processors, threads

@frozen public struct clockid_t: RawRepresentable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public var CLOCK_MONOTONIC: clockid_t { fatalError() }
@discardableResult
public func clock_gettime(
  _ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>!
) -> Int32 { fatalError() }
@discardableResult
public func time(_ result: UnsafeMutablePointer<time_t>!) -> time_t { fatalError() }

public var _SC_NPROCESSORS_ONLN: Int32 { fatalError() }
@discardableResult
public func sysconf(_ name: Int32) -> Int { fatalError() }

@frozen public struct _opaque_pthread_t {}
@frozen public struct pthread_attr_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
@discardableResult
public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>!, _ attributes: UnsafePointer<pthread_attr_t>?,
  _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }
@discardableResult
public func sched_yield() -> Int32 { fatalError() }
@discardableResult
public func pthread_detach(_ thread: pthread_t) -> Int32 { fatalError() }

// MARK: - Files

public var O_RDONLY: Int32 { fatalError() }
public var O_WRONLY: Int32 { fatalError() }
public var O_RDWR: Int32 { fatalError() }
public var O_CREAT: Int32 { fatalError() }
public var O_TRUNC: Int32 { fatalError() }
public var O_NONBLOCK: Int32 { fatalError() }
public var O_CLOEXEC: Int32 { fatalError() }
public var S_IFMT: mode_t { fatalError() }
public var S_IFREG: mode_t { fatalError() }
public var S_IFDIR: mode_t { fatalError() }
public var F_SETFD: Int32 { fatalError() }
public var FD_CLOEXEC: Int32 { fatalError() }
public var SEEK_SET: Int32 { fatalError() }

@discardableResult
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
@discardableResult
public func open(
  _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t
) -> Int32 { fatalError() }
@discardableResult
public func close(_ descriptor: Int32) -> Int32 { fatalError() }
@discardableResult
public func read(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int
) -> Int { fatalError() }
@discardableResult
public func pread(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t
) -> Int { fatalError() }
@discardableResult
public func write(
  _ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int
) -> Int { fatalError() }
@discardableResult
public func stat(
  _ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<DarwinTypes.stat>!
) -> Int32 { fatalError() }
public var PROT_READ: Int32 { fatalError() }
public var MAP_PRIVATE: Int32 { fatalError() }
public var MAP_FAILED: UnsafeMutableRawPointer! { fatalError() }
public func mmap(
  _ address: UnsafeMutableRawPointer!, _ count: Int, _ protection: Int32, _ flags: Int32,
  _ descriptor: Int32, _ offset: off_t
) -> UnsafeMutableRawPointer! { fatalError() }
@discardableResult
public func fstat(
  _ descriptor: Int32, _ status: UnsafeMutablePointer<stat>!
) -> Int32 { fatalError() }
@discardableResult
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { fatalError() }
@discardableResult
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { fatalError() }
@discardableResult
public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { fatalError() }

@frozen public struct DIR {}
@frozen public struct dirent {
  public var d_name: (CChar, CChar)
}
public func opendir(_ path: UnsafePointer<CChar>!) -> UnsafeMutablePointer<DIR>! { fatalError() }
@discardableResult
public func closedir(_ folder: UnsafeMutablePointer<DIR>!) -> Int32 { fatalError() }
public func readdir(
  _ folder: UnsafeMutablePointer<DIR>!
) -> UnsafeMutablePointer<dirent>! { fatalError() }

public func realpath(
  _ path: UnsafePointer<CChar>!, _ resolved: UnsafeMutablePointer<CChar>!
) -> UnsafeMutablePointer<CChar>! { fatalError() }
public func free(_ memory: UnsafeMutableRawPointer!) { fatalError() }

@unsafe @frozen public struct glob_t {
  public var gl_pathc: Int
  public var gl_pathv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
  public init() { fatalError() }
}
@discardableResult
public func glob(
  _ pattern: UnsafePointer<CChar>!, _ flags: Int32,
  _ failed: (@convention(c) (UnsafePointer<CChar>?, Int32) -> Int32)!,
  _ result: UnsafeMutablePointer<glob_t>!
) -> Int32 { fatalError() }
public func globfree(_ result: UnsafeMutablePointer<glob_t>!) { fatalError() }

// MARK: - Sockets

public var AF_INET: Int32 { fatalError() }
public var AF_INET6: Int32 { fatalError() }
public var SOCK_STREAM: Int32 { fatalError() }
public var SOL_SOCKET: Int32 { fatalError() }
public var SO_REUSEADDR: Int32 { fatalError() }
public var SO_NOSIGPIPE: Int32 { fatalError() }
public var SO_LINGER: Int32 { fatalError() }
public var IPPROTO_TCP: Int32 { fatalError() }
public var TCP_NODELAY: Int32 { fatalError() }
public var MSG_DONTWAIT: Int32 { fatalError() }
public var SHUT_WR: Int32 { fatalError() }
public var SHUT_RDWR: Int32 { fatalError() }
public var POLLIN: Int32 { fatalError() }
public var POLLOUT: Int32 { fatalError() }

@frozen public struct in_addr {}
@frozen public struct in6_addr {}
@frozen public struct sockaddr {}
@frozen public struct sockaddr_storage {
  public init() { fatalError() }
}
@frozen public struct sockaddr_in {
  public var sin_len: UInt8
  public var sin_family: sa_family_t
  public var sin_port: UInt16
  public var sin_addr: in_addr
  public init() { fatalError() }
}
@frozen public struct sockaddr_in6 {
  public var sin6_len: UInt8
  public var sin6_family: sa_family_t
  public var sin6_port: UInt16
  public var sin6_addr: in6_addr
  public init() { fatalError() }
}
@frozen public struct linger {
  public var l_onoff: Int32
  public var l_linger: Int32
  public init(l_onoff: Int32, l_linger: Int32) { fatalError() }
}
@frozen public struct pollfd {
  public var fd: Int32
  public var events: Int16
  public var revents: Int16
  public init(fd: Int32, events: Int16, revents: Int16) { fatalError() }
}

@discardableResult
public func inet_pton(
  _ family: Int32, _ text: UnsafePointer<CChar>!, _ address: UnsafeMutableRawPointer!
) -> Int32 { fatalError() }
@discardableResult
public func socket(_ family: Int32, _ kind: Int32, _ protocol: Int32) -> Int32 { fatalError() }
@discardableResult
public func bind(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>!, _ size: socklen_t
) -> Int32 { fatalError() }
@discardableResult
public func listen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { fatalError() }
@discardableResult
public func accept(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>!,
  _ size: UnsafeMutablePointer<socklen_t>!
) -> Int32 { fatalError() }
@discardableResult
public func getsockname(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>!,
  _ size: UnsafeMutablePointer<socklen_t>!
) -> Int32 { fatalError() }
@discardableResult
public func setsockopt(
  _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: UnsafeRawPointer!,
  _ size: socklen_t
) -> Int32 { fatalError() }
@discardableResult
public func recv(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ flags: Int32
) -> Int { fatalError() }
@discardableResult
public func send(
  _ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ flags: Int32
) -> Int { fatalError() }
@discardableResult
public func shutdown(_ descriptor: Int32, _ how: Int32) -> Int32 { fatalError() }
@discardableResult
public func poll(
  _ descriptors: UnsafeMutablePointer<pollfd>!, _ count: nfds_t, _ milliseconds: Int32
) -> Int32 { fatalError() }
