//===--- Pieces.swift - files read and written piece by piece -------------===//
//
// For films, which are longer than memory.
//
// Checked   Tests/MartletCommandLineTests/PiecesTests.swift
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open file, closed when it is let go.
package final class OpenFile {
  private let descriptor: Int32
  private let path: String

  /// Opens the file at `path` for reading; standard input where it is `-`.
  package init(reading path: String) throws(FileError) {
    descriptor = path == "-" ? 0 : open(path, O_RDONLY)
    self.path = path
    guard descriptor >= 0 else { throw .unreadable(path: path) }
  }

  /// Makes the file at `path`, empty, for writing; standard output where it is `-`.
  package init(writing path: String) throws(FileError) {
    descriptor = path == "-" ? 1 : open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    self.path = path
    guard descriptor >= 0 else { throw .unwritable(path: path) }
  }

  deinit { if descriptor > 2 { close(descriptor) } }

  /// The next piece; empty at the end, and where nothing can be read any more.
  package func piece() -> [UInt8] {
    let size = 1 << 18
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      var result = 0
      repeat {
        result = read(descriptor, buffer.baseAddress, size)
      } while result < 0 && errno == EINTR
      count = max(result, 0)
    }
  }

  /// Appends `bytes`.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unwritable(path: path) }
      rest = rest.dropFirst(count)
    }
  }
}
