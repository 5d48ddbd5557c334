//===--- DarwinTypes.swift - structures of Apple's C library --------------===//
//
// Structures for `Darwin.swift` in a separate module. In Swift a structure and a function of one
// module cannot both be named `stat`.
//
// Source    See Darwin.swift.
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public typealias mode_t = UInt16
public typealias off_t = Int64
public typealias time_t = Int
public typealias pid_t = Int32
public typealias sigset_t = UInt32
public typealias sig_t = @convention(c) (Int32) -> Void

@frozen public struct timespec {
  public var tv_sec: time_t
  public var tv_nsec: Int
  public init() { fatalError() }
}

@frozen public struct stat {
  public var st_dev: Int32
  public var st_mode: mode_t
  public var st_ino: UInt64
  public var st_size: off_t
  public var st_mtimespec: timespec
  public var st_ctimespec: timespec
  public init() { fatalError() }
}

@frozen public struct statvfs {
  public var f_bavail: UInt32
  public var f_frsize: UInt
  public init() { fatalError() }
}

@frozen public struct rusage {
  public var ru_maxrss: Int
  public init() { fatalError() }
}

@frozen public struct utsname {
  public var sysname: (CChar, CChar)
  public var release: (CChar, CChar)
  public var machine: (CChar, CChar)
  public init() { fatalError() }
}
