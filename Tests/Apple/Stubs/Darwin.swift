//===--- Darwin.swift - what Martlet uses of Apple's C library ------------===//
//
// Source    The headers at https://github.com/apple-oss-distributions (xnu: bsd/sys;
//           Libc; libpthread), as Swift imports them. Declarations only, for the compiler;
//           structures have only the members that are used.
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import DarwinTypes

public var errno: Int32 {
  get { fatalError() }
  set { fatalError() }
}

public var EINTR: Int32 { fatalError() }
public var EPIPE: Int32 { fatalError() }
public var ENOENT: Int32 { fatalError() }
public var EACCES: Int32 { fatalError() }
public var EEXIST: Int32 { fatalError() }
public var EISDIR: Int32 { fatalError() }
public var EINVAL: Int32 { fatalError() }
public var EIO: Int32 { fatalError() }
public var ELOOP: Int32 { fatalError() }

public func strerror(_ number: Int32) -> UnsafeMutablePointer<CChar>! { fatalError() }
public func strlen(_ string: UnsafePointer<CChar>!) -> Int { fatalError() }
public func exit(_ status: Int32) -> Never { fatalError() }
public func _exit(_ status: Int32) -> Never { fatalError() }
public func getpid() -> pid_t { fatalError() }
@discardableResult
public func isatty(_ descriptor: Int32) -> Int32 { fatalError() }
public func getenv(_ name: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { fatalError() }

// MARK: - Time, processors, threads

@frozen public struct clockid_t: RawRepresentable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public var CLOCK_MONOTONIC: clockid_t { fatalError() }
public var CLOCK_PROCESS_CPUTIME_ID: clockid_t { fatalError() }
public var CLOCK_THREAD_CPUTIME_ID: clockid_t { fatalError() }
@discardableResult
public func clock_gettime(
  _ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>!
) -> Int32 { fatalError() }

public var _SC_NPROCESSORS_ONLN: Int32 { fatalError() }
@discardableResult
public func sysconf(_ name: Int32) -> Int { fatalError() }
@discardableResult
public func sysctlbyname(
  _ name: UnsafePointer<CChar>!, _ value: UnsafeMutableRawPointer!,
  _ count: UnsafeMutablePointer<Int>!, _ newValue: UnsafeMutableRawPointer!, _ newCount: Int
) -> Int32 { fatalError() }
@discardableResult
public func uname(_ names: UnsafeMutablePointer<utsname>!) -> Int32 { fatalError() }
public var RUSAGE_SELF: Int32 { fatalError() }
@discardableResult
public func getrusage(_ who: Int32, _ usage: UnsafeMutablePointer<rusage>!) -> Int32 {
  fatalError()
}

@frozen public struct _opaque_pthread_t {}
@frozen public struct pthread_attr_t {}
@frozen public struct pthread_mutexattr_t {}
@frozen public struct pthread_mutex_t { public init() { fatalError() } }
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
@discardableResult
public func pthread_mutex_init(
  _ mutex: UnsafeMutablePointer<pthread_mutex_t>, _ attributes: UnsafePointer<pthread_mutexattr_t>?
) -> Int32 { fatalError() }
@discardableResult
public func pthread_mutex_destroy(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
  fatalError()
}
@discardableResult
public func pthread_mutex_lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
  fatalError()
}
@discardableResult
public func pthread_mutex_unlock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
  fatalError()
}

// MARK: - Signals

public var SIGHUP: Int32 { fatalError() }
public var SIGINT: Int32 { fatalError() }
public var SIGPIPE: Int32 { fatalError() }
public var SIGTERM: Int32 { fatalError() }
public var SIGXFSZ: Int32 { fatalError() }
public var SIG_DFL: sig_t? { fatalError() }
public var SIG_IGN: sig_t { fatalError() }
public var SIG_BLOCK: Int32 { fatalError() }
public var SIG_UNBLOCK: Int32 { fatalError() }

@discardableResult
public func signal(_ number: Int32, _ action: sig_t!) -> sig_t! { fatalError() }
@discardableResult
public func raise(_ number: Int32) -> Int32 { fatalError() }
@discardableResult
public func sigemptyset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { fatalError() }
@discardableResult
public func sigaddset(
  _ set: UnsafeMutablePointer<sigset_t>!, _ number: Int32
) -> Int32 { fatalError() }
@discardableResult
public func sigwait(
  _ set: UnsafePointer<sigset_t>!, _ number: UnsafeMutablePointer<Int32>!
) -> Int32 { fatalError() }
@discardableResult
public func pthread_sigmask(
  _ how: Int32, _ set: UnsafePointer<sigset_t>!, _ old: UnsafeMutablePointer<sigset_t>!
) -> Int32 { fatalError() }

// MARK: - Files

public var O_RDONLY: Int32 { fatalError() }
public var O_WRONLY: Int32 { fatalError() }
public var O_RDWR: Int32 { fatalError() }
public var O_APPEND: Int32 { fatalError() }
public var O_CREAT: Int32 { fatalError() }
public var O_EXCL: Int32 { fatalError() }
public var O_TRUNC: Int32 { fatalError() }
public var O_NONBLOCK: Int32 { fatalError() }
public var O_CLOEXEC: Int32 { fatalError() }
public var S_IFMT: mode_t { fatalError() }
public var S_IFREG: mode_t { fatalError() }
public var S_IFDIR: mode_t { fatalError() }
public var S_IFLNK: mode_t { fatalError() }
public var SEEK_SET: Int32 { fatalError() }
public var F_DUPFD_CLOEXEC: Int32 { fatalError() }
public var PATH_MAX: Int32 { fatalError() }
public var W_OK: Int32 { fatalError() }

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
public func write(
  _ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int
) -> Int { fatalError() }
@discardableResult
public func pread(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t
) -> Int { fatalError() }
@discardableResult
public func readlink(
  _ path: UnsafePointer<CChar>!, _ target: UnsafeMutablePointer<CChar>!, _ count: Int
) -> Int { fatalError() }
@discardableResult
public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { fatalError() }
@discardableResult
public func access(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> Int32 { fatalError() }
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

// MARK: - Files, for MartletHosting

public var ENOSPC: Int32 { fatalError() }
public var EDQUOT: Int32 { fatalError() }
public var EFBIG: Int32 { fatalError() }
public var EROFS: Int32 { fatalError() }
public var EPERM: Int32 { fatalError() }
public var EWOULDBLOCK: Int32 { fatalError() }
public var F_FULLFSYNC: Int32 { fatalError() }
public var LOCK_EX: Int32 { fatalError() }
public var LOCK_NB: Int32 { fatalError() }
@discardableResult
public func munmap(_ address: UnsafeMutableRawPointer!, _ count: Int) -> Int32 { fatalError() }
public func rename(_ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!) -> Int32 {
  fatalError()
}
public func fsync(_ descriptor: Int32) -> Int32 { fatalError() }
public func lstat(_ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<stat>!) -> Int32 {
  fatalError()
}
public func symlink(_ target: UnsafePointer<CChar>!, _ path: UnsafePointer<CChar>!) -> Int32 {
  fatalError()
}
public func statvfs(
  _ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<DarwinTypes.statvfs>!
) -> Int32 { fatalError() }
public func ftruncate(_ descriptor: Int32, _ count: off_t) -> Int32 { fatalError() }
public func lseek(_ descriptor: Int32, _ offset: off_t, _ whence: Int32) -> off_t { fatalError() }
public func flock(_ descriptor: Int32, _ operation: Int32) -> Int32 { fatalError() }
