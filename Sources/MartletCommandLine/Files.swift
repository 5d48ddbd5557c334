//===--- Files.swift - whole files, and folders ---------------------------===//
//
// Contract  Whatever the system refuses is a `FileError` that names the path and says why.
// Checked   Tests/MartletCommandLineTests/FilesTests.swift
//===----------------------------------------------------------------------===//

import MartletSystem

/// Why a file could not be read or written.
package enum FileError: Error, Equatable {
  case unreadable(path: String, SystemError)
  case unwritable(path: String, SystemError)
}

extension FileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable(_, let reason): "cannot be read: \(reason)"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    }
  }
}

/// Whole files, and folders.
package enum Files {
  /// The bytes of the file at `path`; of standard input where it is `-`.
  package static func read(_ path: String) throws(FileError) -> [UInt8] {
    try OpenFile(reading: path).rest()
  }

  /// Writes `bytes` to the file at `path`; to standard output where it is `-`.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    if path == "-" { return Streams.out(bytes) }
    try OpenFile(writing: path).append(bytes)
  }

  /// Makes the folder at `path`, and those above it, unless they are there.
  package static func makeFolder(_ path: String) throws(FileError) {
    guard !isFolder(path), mkdir(path, 0o777) != 0 else { return }
    let error = SystemError.last
    // Another process may have made it meanwhile.
    if isFolder(path) { return }
    guard error.number == ENOENT, let parent = parent(of: path) else {
      throw .unwritable(path: path, error)
    }
    try makeFolder(parent)
    guard mkdir(path, 0o777) == 0 || isFolder(path) else {
      throw .unwritable(path: path, .last)
    }
  }

  /// The path of the folder that `path` lies in, if it names one.
  private static func parent(of path: String) -> String? {
    let end = path.utf8.lastIndex { $0 != slash } ?? path.startIndex
    guard let separator = path.utf8[..<end].lastIndex(of: slash), separator > path.startIndex else {
      return nil
    }
    return String(path[..<separator])
  }

  private static let slash = UInt8(ascii: "/")

  /// Whether there is anything at `path`.
  package static func exists(_ path: String) -> Bool { status(path) != nil }

  /// Whether `path` is a folder.
  package static func isFolder(_ path: String) -> Bool {
    status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// The names in a folder, sorted.
  package static func list(_ path: String) throws(FileError) -> [String] {
    guard let folder = opendir(path) else { throw .unreadable(path: path, .last) }
    defer { _ = closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw .unreadable(path: path, .last) }
    return names.sorted()
  }

  /// The lines of a text file, without empty ones.
  package static func lines(_ path: String) throws(FileError) -> [String] {
    String(decoding: try read(path), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
  }
}
