//===--- ReadableFile.swift - an open file and its identity ---------------===//
//
// Contract  Reads the opened file, even if another file replaces it at its path.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

import MartletCLibrary

/// An open file.
final class ReadableFile: Sendable {
  /// Distinguishes versions of a file without reading it.
  struct Identity: Hashable, Codable, Sendable {
    let device: UInt64
    let node: UInt64
    let size: Int
    /// The modification time, in seconds since 1970.
    let modified: Int
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
  let identity: Identity

  var size: Int { identity.size }

  /// Opens the regular file at `path`; returns `nil` if there is none that can be read.
  init?(_ path: String) {
    // `O_NONBLOCK`: opening a pipe must not wait. The path is valid until the call returns.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      _ = close(descriptor)
      return nil
    }
    identity = Identity(status)
  }

  deinit { _ = close(descriptor) }

  /// The SHA-256 of the whole file, read in pieces; `nil` if it ends early or cannot be read.
  func digest() -> Digest? {
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    while offset < size {
      // The system writes no more bytes than the buffer has.
      let count = unsafe pread(descriptor, &buffer, min(buffer.count, size - offset), off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      hash.update(buffer.span.extracting(first: count))
      offset += count
    }
    return hash.finish()
  }
}
