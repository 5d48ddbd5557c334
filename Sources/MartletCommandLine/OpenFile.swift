//===--- OpenFile.swift - a file read or written piece by piece -----------===//
//
// For videos, which are longer than memory, and for pipes, which have no size.
//
// Contract  Whatever the system refuses is a `FileError`. A call that a signal interrupts is repeated.
// Checked   Tests/MartletCommandLineTests/OpenFileTests.swift
//===----------------------------------------------------------------------===//

import MartletSystem

/// An open file, closed when it is let go. A path or a buffer that the system gets is valid until it
/// returns, and it moves no more bytes than it is reported.
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

  /// Opens the file at `path` for reading; standard input where it is `-`.
  package init(reading path: String) throws(FileError) {
    descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
    self.path = path
    guard descriptor >= 0 else { throw .unreadable(path: path, .last) }
  }

  /// Makes the file at `path`, empty, for writing; standard output where it is `-`.
  ///
  /// - Throws: `FileError.isInput` where the file is one of `inputs`, which stays as it is.
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

  deinit { if descriptor > 2 { close(descriptor) } }

  /// The next piece; empty at the end.
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

  /// The beginning of the file: at least `count` bytes unless the file has fewer. A pipe may give fewer at
  /// a time.
  package func beginning(atLeast count: Int) throws(FileError) -> [UInt8] {
    var bytes = try piece()
    while bytes.count < count {
      let piece = try piece()
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  /// `first`, which has been read already, and all that is left of the file.
  ///
  /// - Throws: `FileError.tooLarge` if that is more than `limit` bytes, of a plain file before it is read.
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

  /// The size of a plain file; `nil` for pipes and devices, which have none.
  package var plainSize: Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return max(Int(status.st_size), 0)
  }

  /// The memory of a plain file that the system reads where it is looked at. The caller unmaps it, and
  /// keeps to its bounds.
  package func map() throws(FileError) -> UnsafeMutableRawBufferPointer {
    guard let size = plainSize, size > 0 else {
      return unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
    guard let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
      unsafe start != MAP_FAILED
    else { throw .unreadable(path: path, .last) }
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: size)
  }

  /// Appends `bytes`.
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
