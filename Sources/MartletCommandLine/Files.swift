//===--- Files.swift - reading and writing whole files --------------------===//
//
// Checked   Tests/MartletCommandLineTests/FilesTests.swift
//===----------------------------------------------------------------------===//

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a file could not be read or written.
package enum FileError: Error, Equatable {
  case unreadable(path: String)
  case unwritable(path: String)
}

extension FileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable: "cannot be read"
    case .unwritable(let path): "cannot write \(path)"
    }
  }
}

/// Whole files.
package enum Files {
  /// The bytes of the file at `path`; of standard input where it is `-`.
  package static func read(_ path: String) throws(FileError) -> [UInt8] {
    if path == "-" {
      guard let bytes = Streams.input() else { throw .unreadable(path: path) }
      return bytes
    }
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw .unreadable(path: path)
    }
    return [UInt8](data)
  }

  /// Writes `bytes` to the file at `path`; to standard output where it is `-`.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    if path == "-" { return Streams.out(bytes) }
    do {
      try Data(bytes).write(to: URL(filePath: path))
    } catch { throw .unwritable(path: path) }
  }

  /// Makes the folder at `path`, and those above it, unless they are there.
  package static func makeFolder(_ path: String) throws(FileError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
    } catch { throw .unwritable(path: path) }
  }

  /// Whether there is anything at `path`.
  package static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// Whether `path` is a folder.
  package static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  /// The names in a folder, sorted.
  package static func list(_ path: String) throws(FileError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch { throw .unreadable(path: path) }
  }

  /// The lines of a text file, without empty ones.
  package static func lines(_ path: String) throws(FileError) -> [String] {
    String(decoding: try read(path), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
  }
}
