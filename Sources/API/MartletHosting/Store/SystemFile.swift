//===--- SystemFile.swift - atomic file operations ------------------------===//
//
// Foundation does not guarantee that a rename is atomic, that bytes and names are on disk, or that
// only one process at a time changes a folder.
//
// Contract  Paths, buffers and structs passed to the system are valid until the call returns, and
//           their lengths are passed too. Therefore the `unsafe` calls below are sound.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

import MartletCLibrary

/// Operations on files by path. They throw `file`, or `notEnoughSpace` if the disk is full.
enum SystemFile {
  static func words(of number: Int32) -> String { unsafe String(cString: strerror(number)) }

  static func error(_ path: String, _ number: Int32 = errno) -> ModelHostingError {
    switch number {
    // EFBIG reports a limit on the size of files.
    case ENOSPC, EDQUOT, EFBIG: .notEnoughSpace(needed: nil, available: nil)
    default: .file(path: path, errno: number)
    }
  }

  /// Creates the folder and its parents, unless they exist. The error names the folder that could not be
  /// created. Foundation's function does not tell the system's error number.
  static func makeFolder(_ path: String) throws(ModelHostingError) {
    guard let number = failureOfMakingFolder(path) else { return }
    guard number == ENOENT, let end = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      end > path.startIndex
    else { throw error(path, number) }
    try makeFolder(String(path[..<end]))
    if let number = failureOfMakingFolder(path) { throw error(path, number) }
  }

  /// Creates a folder; returns the system's error number if there is none afterwards.
  private static func failureOfMakingFolder(_ path: String) -> Int32? {
    guard unsafe mkdir(path, 0o777) != 0 else { return nil }
    let number = errno
    var status = stat()
    let isFolder = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    return isFolder ? nil : number
  }

  /// Renames the item at `path` and replaces the item at `other`.
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

  /// Removes the item at `path`, if there is one.
  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Waits until the file's bytes, or the folder's names, are on disk.
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

  /// Writes a file atomically: afterwards it is complete and on disk, or unchanged.
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

  /// Whether there is an item at `path`; a broken symbolic link counts too.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// The size of the regular file at `path`.
  static func size(_ path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Atomically points the symbolic link at `path` to `target`.
  static func link(_ path: String, to target: String) throws(ModelHostingError) {
    let temporary = path + ".new"
    remove(temporary)
    guard unsafe symlink(target, temporary) == 0 else { throw error(temporary) }
    // A rename replaces anything except a folder.
    if SystemFile.target(path) == nil { remove(path) }
    try rename(temporary, to: path)
  }

  /// The target of the symbolic link at `path`, if there is one.
  static func target(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  static func list(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
  }

  /// The number of bytes that a user may still write to the disk of `path`.
  static func availableSpace(_ path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return isHuge ? Int.max : Int(clamping: bytes)
  }
}

/// A file for appending.
final class WritableFile: Sendable {
  private let descriptor: Int32
  private let path: String

  /// Opens the file at `path` and keeps its first `count` bytes.
  init(_ path: String, keeping count: Int) throws(ModelHostingError) {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFile.error(path) }
    guard ftruncate(descriptor, off_t(count)) == 0, lseek(descriptor, off_t(count), SEEK_SET) >= 0
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
      // A call that writes nothing sets no error number.
      guard count > 0 else { throw SystemFile.error(path, count < 0 ? errno : EIO) }
      position += count
    }
  }

  func synchronize() throws(ModelHostingError) { try SystemFile.synchronize(descriptor, path) }
}

/// A lock with one holder at a time, across processes. It is released if its process dies.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// The lock at `path`, or `nil` if it is held elsewhere.
  init?(_ path: String) throws(ModelHostingError) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFile.error(path) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno != EWOULDBLOCK else { return nil }
      guard errno == EINTR else { throw SystemFile.error(path) }
    }
  }

  /// Waits for the lock at `path`.
  init(waitingFor path: String) throws(ModelHostingError) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFile.error(path) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw SystemFile.error(path) }
    }
  }

  deinit { _ = close(descriptor) }
}
