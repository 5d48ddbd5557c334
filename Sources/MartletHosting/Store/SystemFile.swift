//===--- SystemFile.swift - file operations that survive a power cut ------===//
//
// What Foundation does not promise: that a rename replaces at once, that bytes and names have reached
// the disk, that of several processes one at a time works on a folder.
//
// Contract  What the system gets of a path, a buffer or a struct is valid until it returns, and it is reported
//           how long it is: that is why the `unsafe` calls below are sound.
// Checked   Tests/MartletHostingTests/ModelFolderTests.swift
//===----------------------------------------------------------------------===//

import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Operations on files by their path. Errors are `file`, or `notEnoughSpace` where that is the cause.
enum SystemFile {
  static func words(of number: Int32) -> String { unsafe String(cString: strerror(number)) }

  static func error(_ path: String, _ number: Int32 = errno) -> ModelHostingError {
    switch number {
    // The last is what a limit on the size of files gives.
    case ENOSPC, EDQUOT, EFBIG: .notEnoughSpace(needed: nil, available: nil)
    default: .file(path: path, errno: number)
    }
  }

  /// Makes the folder and those above it, unless they are there.
  static func makeFolder(_ path: String) throws(ModelHostingError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch { throw SystemFile.error(path) }
  }

  /// Gives what is at `path` another name, in place of what has it.
  static func rename(_ path: String, to other: String) throws(ModelHostingError) {
    #if canImport(Darwin)
      let status = unsafe Darwin.rename(path, other)
    #elseif canImport(Glibc)
      let status = unsafe Glibc.rename(path, other)
    #else
      let status = unsafe Musl.rename(path, other)
    #endif
    guard status == 0 else { throw error(other) }
  }

  /// Removes whatever is at `path`, if anything.
  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Waits until the disk has the file's bytes, or the folder's names.
  static func synchronize(_ path: String) throws(ModelHostingError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error(path) }
    defer { _ = close(descriptor) }
    try synchronize(descriptor, path)
  }

  static func synchronize(_ descriptor: Int32, _ path: String) throws(ModelHostingError) {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(descriptor) == 0 else { throw error(path) }
  }

  /// Writes a file that is either there whole, on the disk, or as it was.
  static func write(_ bytes: [UInt8], to path: String) throws(ModelHostingError) {
    let temporary = path + ".new"
    do throws(ModelHostingError) {
      let file = try WritableFile(temporary, keeping: 0)
      try file.append(bytes.span)
      try file.synchronize()
      try rename(temporary, to: path)
    } catch {
      remove(temporary)
      throw error
    }
    try synchronize(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  static func read(_ path: String) -> Data? { try? Data(contentsOf: URL(fileURLWithPath: path)) }

  /// Whether there is anything at `path`, if only a link that leads nowhere.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// The size of the plain file at `path`.
  static func size(_ path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Makes the symbolic link at `path` lead to `target`, in place of what it led to, at once.
  static func link(_ path: String, to target: String) throws(ModelHostingError) {
    let temporary = path + ".new"
    remove(temporary)
    guard unsafe symlink(target, temporary) == 0 else { throw error(temporary) }
    // A rename puts a link in place of anything but a folder.
    if SystemFile.target(path) == nil { remove(path) }
    try rename(temporary, to: path)
  }

  /// Where the symbolic link at `path` leads, if there is one.
  static func target(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  static func list(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
  }

  /// How many bytes a user may still write to the disk of `path`.
  static func availableSpace(_ path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return isHuge ? Int.max : Int(clamping: bytes)
  }
}

/// A file that grows at its end.
final class WritableFile: Sendable {
  private let descriptor: Int32
  private let path: String

  /// The file at `path`, of which the first `count` bytes are kept.
  init(_ path: String, keeping count: Int) throws(ModelHostingError) {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFile.error(path) }
    guard ftruncate(descriptor, off_t(count)) == 0,
      lseek(descriptor, off_t(count), SEEK_SET) == off_t(count)
    else { throw SystemFile.error(path) }
  }

  deinit { _ = close(descriptor) }

  func append(_ bytes: Span<UInt8>) throws(ModelHostingError) {
    var position = 0
    while position < bytes.count {
      let count = unsafe bytes.extracting(position...).withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemFile.error(path) }
      position += count
    }
  }

  func synchronize() throws(ModelHostingError) { try SystemFile.synchronize(descriptor, path) }
}

/// A lock that one holder has at a time, in this process or another; whoever dies lets go of it.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// The lock at `path`, or `nil` if another has it.
  init?(_ path: String) throws(ModelHostingError) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFile.error(path) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno != EWOULDBLOCK else { return nil }
      guard errno == EINTR else { throw SystemFile.error(path) }
    }
  }

  /// The lock at `path`, as soon as nobody else has it.
  init(waitingFor path: String) throws(ModelHostingError) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFile.error(path) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw SystemFile.error(path) }
    }
  }

  deinit { _ = close(descriptor) }
}
