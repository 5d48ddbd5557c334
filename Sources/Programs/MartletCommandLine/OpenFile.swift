//===--- OpenFile.swift - reading and writing in pieces -------------------===//
//
// For videos larger than memory, and for pipes, which have no size.
//
// Contract  Errors of the system are thrown as `FileError`. A call that a signal interrupts is
//           repeated.
//===----------------------------------------------------------------------===//

import MartletCLibrary
import MartletSystem

/// An open file, closed when it is released. Paths and buffers passed to the system are valid
/// during the call, and it transfers no more bytes than their size.
package final class OpenFile: Sendable {
  private static let pieceSize = 1 << 18

  private let descriptor: Int32
  private let path: FilePath

  package static let standardOutput = OpenFile(1, path: "standard output")
  package static let standardError = OpenFile(2, path: "standard error")

  private init(_ descriptor: Int32, path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens the file at `path` for reading, or standard input if it is `-`.
  package init(reading path: FilePath) throws(FileError) {
    let flags = O_RDONLY | O_CLOEXEC
    descriptor = path == .standardStream ? 0 : unsafe path.withCString { unsafe open($0, flags) }
    self.path = path
    guard descriptor >= 0 else { throw .unreadable(path: path, .last) }
  }

  /// Opens the file at `path` for writing with further flags of the system. Errors name `named`.
  init(writing path: FilePath, _ flags: Int32, named: FilePath) throws(FileError) {
    descriptor = unsafe path.withCString { unsafe open($0, O_WRONLY | O_CLOEXEC | flags, 0o666) }
    self.path = named
    guard descriptor >= 0 else { throw .unwritable(path: named, .last) }
  }

  /// A duplicate of a descriptor that the process has open.
  init(duplicating number: Int32, named: FilePath) throws(FileError) {
    descriptor = fcntl(number, F_DUPFD_CLOEXEC, 3)
    path = named
    guard descriptor >= 0 else { throw .unwritable(path: named, .last) }
  }

  /// Opens or creates the regular file at `path`, to read it and to append to it.
  ///
  /// - Throws: `FileError.notRegular`, or `.inUse` if another process has opened it so.
  package init(continuing path: FilePath) throws(FileError) {
    // Opening a pipe would wait, and opening a device may have effects.
    if let kind = Files.kind(path), kind != .regular { throw .notRegular(path: path) }
    descriptor = unsafe path.withCString {
      unsafe open($0, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o666)
    }
    self.path = path
    guard descriptor >= 0 else { throw .unwritable(path: path, .last) }
    guard plainSize != nil else { throw .notRegular(path: path) }
    try lock()
  }

  /// Locks the file until it is closed.
  ///
  /// - Throws: `FileError.inUse` if it is locked already.
  func lock() throws(FileError) {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EINTR else {
        throw errno == EWOULDBLOCK ? .inUse(path: path) : .unwritable(path: path, .last)
      }
    }
  }

  /// Cuts the file off behind its first `byteCount` bytes.
  package func truncate(to byteCount: Int) throws(FileError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else {
      throw .unwritable(path: path, .last)
    }
  }

  deinit { if descriptor > 2 { close(descriptor) } }

  /// Reads the next piece; empty at the end.
  package func piece() throws(FileError) -> [UInt8] {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: OpenFile.pieceSize) { buffer, count in
      var result = 0
      repeat {
        result = unsafe read(descriptor, buffer.baseAddress, buffer.count)
      } while result < 0 && errno == EINTR
      if result < 0 { failure = .last }
      count = max(result, 0)
    }
    if let failure { throw .unreadable(path: path, failure) }
    return bytes
  }

  /// Reads at least the first `count` bytes, unless the file has fewer. A pipe may return fewer at
  /// a time, so this may read several times.
  package func beginning(atLeast count: Int) throws(FileError) -> [UInt8] {
    var bytes = try piece()
    while bytes.count < count {
      let piece = try piece()
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  /// Returns `first`, which was read already, and the rest of the file.
  ///
  /// - Throws: `FileError.tooLarge` for more than `limit` bytes; for a regular file before reading
  ///   it.
  package func rest(after first: [UInt8], limit: Int) throws(FileError) -> [UInt8] {
    let size = plainSize
    guard size ?? 0 <= limit else { throw .tooLarge(path: path, limit: limit) }
    var bytes = first
    if let size { bytes.reserveCapacity(size + OpenFile.pieceSize) }
    while true {
      let piece = try piece()
      if piece.isEmpty { return bytes }
      guard piece.count <= limit - bytes.count else { throw .tooLarge(path: path, limit: limit) }
      bytes += piece
    }
  }

  /// The size of a regular file; `nil` for pipes and devices.
  package var plainSize: Int? { plainStatus.map { max(Int($0.st_size), 0) } }

  /// The identity of a regular file; `nil` for pipes and devices.
  package var plainIdentity: FileIdentity? { plainStatus.map { FileIdentity($0) } }

  /// The identity of the regular file that is standard input (0), output (1) or error (2).
  static func plainIdentity(ofStream number: Int32) -> FileIdentity? {
    plainStatus(of: number).map { FileIdentity($0) }
  }

  private var plainStatus: stat? { OpenFile.plainStatus(of: descriptor) }

  /// The status of a descriptor, which stays open, if it is a regular file.
  private static func plainStatus(of descriptor: Int32) -> stat? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, FileKind(status) == .regular else { return nil }
    return status
  }

  /// Maps a regular file into memory. The caller must unmap it and stay within its bounds.
  package func map() throws(FileError) -> UnsafeMutableRawBufferPointer {
    guard let size = plainSize, size > 0 else {
      return unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
    guard let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
      unsafe start != MAP_FAILED
    else { throw .unreadable(path: path, .last) }
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: size)
  }

  /// Appends `bytes` to the file. If nobody reads a pipe any more, the process ends as if the signal
  /// of that had killed it (`Temporaries.handleSignals()`).
  package func append(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EPIPE { Temporaries.endIfPipesEndProcess() }
      guard count > 0 else { throw .unwritable(path: path, .last) }
      rest = rest.dropFirst(count)
    }
  }
}
