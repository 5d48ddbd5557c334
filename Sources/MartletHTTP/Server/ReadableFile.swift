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
  package struct Identity: Hashable, Sendable {
    let device: UInt64
    let node: UInt64
    package let size: Int
    /// When its contents changed last, in seconds since 1970.
    package let modified: Int
    let nanoseconds: Int
  }

  private let descriptor: Int32
  package let identity: Identity

  package var size: Int { identity.size }

  /// The plain file at `path`, or `nil` where there is none that can be read.
  package init?(_ path: String) {
    // A pipe of that name must not hold up the server. What the system gets is valid until it returns.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      _ = close(descriptor)
      return nil
    }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      node: UInt64(truncatingIfNeeded: status.st_ino), size: Int(status.st_size),
      modified: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
  }

  deinit { _ = close(descriptor) }

  /// Calls `body` with the bytes of a part of the file, piece by piece; `false` where the file ends
  /// before, or can't be read.
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
