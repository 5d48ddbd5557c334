//===--- OpenFile.swift - reading and writing in pieces -------------------===//
//
// For videos larger than memory, and for pipes, which have no size.
//
// Contract  Errors of the system are thrown as `FileError`. A call that a signal interrupts is
//           repeated.
// Checked   Tests/MartletCommandLineTests/OpenFileTests.swift
//===----------------------------------------------------------------------===//

import MartletSystem

/// An open file, closed when it is released. Paths and buffers passed to the system are valid
/// during the call, and it transfers no more bytes than their size.
package final class OpenFile: Sendable {
  private static let pieceSize = 1 << 18

  private let descriptor: Int32
  private let path: String

  package static let standardOutput = OpenFile(1, path: "standard output")
  package static let standardError = OpenFile(2, path: "standard error")

  private init(_ descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens the file at `path` for reading, or standard input if it is `-`.
  package init(reading path: String) throws(FileError) {
    descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
    self.path = path
    guard descriptor >= 0 else { throw .unreadable(path: path, .last) }
  }

  /// Creates an empty file at `path` for writing, or opens standard output if it is `-`.
  ///
  /// - Throws: `FileError.isInput` if the file is one of `inputs`; it is not changed.
  package init(
    writing path: String, sparing inputs: Set<FileIdentity> = []
  ) throws(FileError) {
    if let identity = Files.identity(path), inputs.contains(identity) {
      throw .isInput(path: path)
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    descriptor = path == "-" ? 1 : unsafe open(path, flags, 0o666)
    self.path = path
    guard descriptor >= 0 else { throw .unwritable(path: path, .last) }
  }

  /// Opens or creates the file at `path` to continue it after its first `byteCount` bytes; the rest is
  /// cut off.
  package init(continuing path: String, after byteCount: Int) throws(FileError) {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    self.path = path
    guard descriptor >= 0, ftruncate(descriptor, off_t(byteCount)) == 0 else {
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
  package var plainSize: Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return max(Int(status.st_size), 0)
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

  /// Appends `bytes` to the file.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unwritable(path: path, .last) }
      rest = rest.dropFirst(count)
    }
  }
}
