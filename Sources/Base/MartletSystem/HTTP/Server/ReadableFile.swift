//===--- ReadableFile.swift - a file to serve -----------------------------===//
//
// Contract  Reads the opened file, even if another file replaces it at its path. Several threads
//           may read at the same time.
// Checked   Tests/MartletSystemTests/HTTP/HTTPServerTests.swift
//===----------------------------------------------------------------------===//

/// An open file.
package final class ReadableFile: Sendable {
  /// Distinguishes versions of a file without reading it.
  package struct Identity: Hashable, Codable, Sendable {
    let device: UInt64
    let node: UInt64
    package let size: Int
    /// The modification time, in seconds since 1970.
    package let modified: Int
    let modifiedNanoseconds: Int
    /// The status change time; unlike the modification time, programs cannot set it.
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

  /// Opens the regular file at `path`; returns `nil` if there is none that can be read.
  package init?(_ path: String) {
    // `O_NONBLOCK`: a pipe must not block the server. The path is valid until the call returns.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      _ = close(descriptor)
      return nil
    }
    identity = Identity(status)
  }

  /// Opens the regular file at `path` if it is in `folder` after links are resolved; returns `nil`
  /// if it is not, or cannot be read.
  package convenience init?(_ path: String, inside folder: String) {
    guard let place = ReadableFile.resolved(path), var root = ReadableFile.resolved(folder) else {
      return nil
    }
    if !root.hasSuffix("/") { root += "/" }
    guard place.utf8.starts(with: root.utf8) else { return nil }
    self.init(place)
  }

  /// Resolves the links of a path. The C library owns the text until it is freed; it is copied
  /// before.
  private static func resolved(_ path: String) -> String? {
    guard let text = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(validatingCString: text)
  }

  deinit { _ = close(descriptor) }

  /// Calls `body` with each piece of a part of the file. Returns `false` if the file ends early or
  /// cannot be read.
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
