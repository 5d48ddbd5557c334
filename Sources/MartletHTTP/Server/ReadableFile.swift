//===--- ReadableFile.swift - a file that stays the same while it is read -===//
//
// Contract  Reads the file that was opened, even if another takes its name meanwhile. Several
//           threads may read at once.
// Checked   Tests/MartletHTTPTests/HTTPServerTests.swift
//===----------------------------------------------------------------------===//

import MartletSystem

/// An open file.
package final class ReadableFile: Sendable {
  /// What tells a version of a file from another without reading it.
  package struct Identity: Hashable, Codable, Sendable {
    let device: UInt64
    let node: UInt64
    package let size: Int
    /// When its contents changed last, in seconds since 1970.
    package let modified: Int
    let modifiedNanoseconds: Int
    /// When the system last noted a change of it: unlike the time above, nobody can set this one.
    let changed: Int
    let changedNanoseconds: Int

    fileprivate init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      node = UInt64(truncatingIfNeeded: status.st_ino)
      size = Int(status.st_size)
      #if canImport(Darwin)
        let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
      #else
        let (modification, change) = (status.st_mtim, status.st_ctim)
      #endif
      (modified, modifiedNanoseconds) = (Int(modification.tv_sec), Int(modification.tv_nsec))
      (changed, changedNanoseconds) = (Int(change.tv_sec), Int(change.tv_nsec))
    }
  }

  private let descriptor: Int32
  package let identity: Identity

  package var size: Int { identity.size }

  /// The plain file at `path`, or `nil` if there is none that can be read.
  package init?(_ path: String) {
    // A pipe of that name must not hold up the server. What the system gets is valid until it returns.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      _ = close(descriptor)
      return nil
    }
    identity = Identity(status)
  }

  /// The plain file at `path`, where it lies in `folder` once all links are followed; `nil` if it does not,
  /// or cannot be read.
  package convenience init?(_ path: String, inside folder: String) {
    guard let place = ReadableFile.resolved(path), var root = ReadableFile.resolved(folder) else {
      return nil
    }
    if !root.hasSuffix("/") { root += "/" }
    guard place.utf8.starts(with: root.utf8) else { return nil }
    self.init(place)
  }

  /// The path without links. The text is the C library's until it is freed, and is copied before.
  private static func resolved(_ path: String) -> String? {
    guard let text = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(validatingCString: text)
  }

  deinit { _ = close(descriptor) }

  /// Calls `body` with the bytes of a part of the file, piece by piece; `false` if the file ends
  /// before, or cannot be read.
  package func forEachPiece<Failure: Error>(
    of range: Range<Int>, size: Int = 1 << 16,
    _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var buffer = [UInt8](repeating: 0, count: size)
    var offset = range.lowerBound
    while offset < range.upperBound {
      // The system writes no more bytes than the buffer has.
      let count = unsafe pread(
        descriptor, &buffer, min(size, range.upperBound - offset), off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      try body(buffer.span.extracting(first: count))
      offset += count
    }
    return true
  }
}
