//===--- Files.swift - files and folders ----------------------------------===//
//
// Contract  Errors of the system are thrown as `FileError` with the path and the reason.
// Checked   Tests/MartletCommandLineTests/FilesTests.swift
//===----------------------------------------------------------------------===//

import MartletSystem

/// An error of reading or writing a file.
package enum FileError: Error, Equatable {
  case unreadable(path: String, SystemError)
  case unwritable(path: String, SystemError)
  /// The file has more bytes than the limit.
  case tooLarge(path: String, limit: Int)
  /// The output file is one of the input files.
  case isInput(path: String)
  /// A line of a list is longer than a path may be.
  case lineLength(path: String, limit: Int)
}

extension FileError {
  /// The path of the file.
  package var path: String {
    switch self {
    case .unreadable(let path, _), .unwritable(let path, _), .isInput(let path),
      .lineLength(let path, _), .tooLarge(let path, _):
      path
    }
  }
}

extension FileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable("", _): "cannot be read: its path is empty"
    case .unreadable(_, let reason): "cannot be read: \(reason)"
    case .unwritable(_, let reason): "cannot be written: \(reason)"
    case .tooLarge(_, let limit):
      "has more than the \(limit) bytes that such a file may have; name a smaller file"
    case .isInput: "is an input, which is never written over; name another file"
    case .lineLength(_, let limit): "a line has more than the \(limit) bytes of a path"
    }
  }
}

/// The identity of a file, independent of its path.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// Operations on whole files and folders. Paths are passed to the system as C strings that are
/// valid during the call.
package enum Files {
  /// The default limit for reading a file: 1 GiB.
  package static let defaultLimit = 1 << 30

  /// Reads the file at `path`, or standard input if it is `-`.
  ///
  /// - Throws: `FileError.tooLarge` if the file has more than `limit` bytes; a regular file is not
  ///   read then.
  package static func read(
    _ path: String, limit: Int = defaultLimit
  ) throws(FileError) -> [UInt8] {
    let file = try OpenFile(reading: path)
    return try file.rest(after: [], limit: limit)
  }

  /// Writes `bytes` to the file at `path`, or to standard output if it is `-`.
  ///
  /// - Throws: `FileError.isInput`, without writing, if the file is one of `inputs`.
  package static func write(
    _ bytes: [UInt8], to path: String, sparing inputs: Set<FileIdentity> = []
  ) throws(FileError) {
    if path == "-" { return Streams.out(bytes) }
    try OpenFile(writing: path, sparing: inputs).append(bytes)
  }

  /// The identity of the file at `path`, or `nil` if there is none.
  package static func identity(_ path: String) -> FileIdentity? {
    status(path).map { FileIdentity($0) }
  }

  /// The identities of the files at `paths`; missing files are skipped.
  package static func identities(_ paths: [String]) -> Set<FileIdentity> {
    Set(paths.compactMap(identity))
  }

  /// Creates the folder at `path` and its parents, unless they exist.
  package static func makeFolder(_ path: String) throws(FileError) {
    guard !isFolder(path), unsafe mkdir(path, 0o777) != 0 else { return }
    let error = SystemError.last
    // Another process may have created it meanwhile.
    if isFolder(path) { return }
    guard error.number == ENOENT, let parent = parent(of: path) else {
      throw .unwritable(path: path, error)
    }
    try makeFolder(parent)
    guard unsafe mkdir(path, 0o777) == 0 || isFolder(path) else {
      throw .unwritable(path: path, .last)
    }
  }

  /// The path of the parent folder of `path`, if `path` contains one.
  private static func parent(of path: String) -> String? {
    let end = path.utf8.lastIndex { $0 != slash } ?? path.startIndex
    guard let separator = path.utf8[..<end].lastIndex(of: slash), separator > path.startIndex else {
      return nil
    }
    return String(path[..<separator])
  }

  private static let slash = UInt8(ascii: "/")

  /// Whether an item exists at `path`.
  package static func exists(_ path: String) -> Bool { status(path) != nil }

  /// Whether `path` is a folder.
  package static func isFolder(_ path: String) -> Bool {
    status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Whether `path` is a regular file, which can be read again.
  package static func isPlain(_ path: String) -> Bool {
    status(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }

  /// The names in a folder, sorted. An entry is valid until the next is read, and its name ends
  /// within the entry; the name is copied immediately.
  package static func list(_ path: String) throws(FileError) -> [String] {
    guard let folder = unsafe opendir(path) else { throw .unreadable(path: path, .last) }
    defer { _ = unsafe closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw .unreadable(path: path, .last) }
    return names.sorted()
  }

  /// The path of the item `name` in a folder.
  package static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The paths that match a pattern with `*`, `?` and `[…]`, sorted as in a shell.
  package static func matches(of pattern: String) -> [String] {
    // The system owns the paths and reports their number; they are valid until `globfree`.
    var result = unsafe glob_t()
    defer { unsafe globfree(&result) }
    guard unsafe glob(pattern, 0, nil, &result) == 0 else { return [] }
    return (0..<Int(unsafe result.gl_pathc)).compactMap { index in
      unsafe result.gl_pathv[index].map { unsafe String(cString: $0) }
    }
  }

  /// The lines of a text file without empty ones.
  package static func lines(_ path: String) throws(FileError) -> [String] {
    String(decoding: try read(path), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
  }
}
