//===--- Files.swift - files and folders ----------------------------------===//
//
// Contract  Errors of the system are thrown as `FileError` with the path and the reason.
//===----------------------------------------------------------------------===//

import MartletCLibrary
import MartletSystem

/// An error of reading or writing a file.
package enum FileError: Error, Equatable {
  case unreadable(path: FilePath, SystemError)
  case unwritable(path: FilePath, SystemError)
  /// The file has more bytes than the limit.
  case tooLarge(path: FilePath, limit: Int)
  /// The output file is one of the input files.
  case isInput(path: FilePath)
  /// The output file is another output of this run.
  case isOutput(path: FilePath)
  /// The input file was written by this run, or is its standard output or error.
  case wasWritten(path: FilePath)
  /// A line is longer than the limit.
  case lineLength(path: FilePath, limit: Int)
  /// A list of paths is UTF-16.
  case isUTF16(path: FilePath)
  /// A list of paths separated by line feeds has a zero byte.
  case mixedSeparators(path: FilePath)
  /// A list of paths that end with zero bytes has an empty one.
  case emptyPath(path: FilePath)
  /// The file cannot be continued, because it is a folder, a device or a pipe.
  case notRegular(path: FilePath)
  /// Another process writes the file.
  case inUse(path: FilePath)
}

extension FileError {
  /// The path of the file.
  package var path: FilePath {
    switch self {
    case .unreadable(let path, _), .unwritable(let path, _), .isInput(let path),
      .isOutput(let path), .wasWritten(let path), .lineLength(let path, _), .tooLarge(let path, _),
      .isUTF16(let path), .mixedSeparators(let path), .emptyPath(let path), .notRegular(let path),
      .inUse(let path):
      path
    }
  }

  /// Whether an output could not be written, so that the input is not at fault.
  package var isOfOutput: Bool {
    switch self {
    case .unwritable, .isInput, .isOutput, .notRegular, .inUse: true
    case .unreadable, .wasWritten, .tooLarge, .lineLength, .isUTF16, .mixedSeparators,
      .emptyPath:
      false
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
      "is larger than the limit of \(limit) bytes"
    case .isInput: "is an input and would be overwritten; choose another output"
    case .isOutput: "is written twice by this run; choose another output"
    case .wasWritten: "is an output of this run and cannot be read"
    case .lineLength(_, let limit): "a line is longer than the limit of \(limit) bytes for a path"
    case .isUTF16:
      "expected a list in UTF-8, found UTF-16; convert it with iconv -f UTF-16 -t UTF-8"
    case .mixedSeparators:
      "the list mixes line feeds and zero bytes as separators; use one of them"
    case .emptyPath:
      "the list contains an empty path between zero bytes; write it with find -print0"
    case .notRegular: "is not a regular file and cannot be continued; choose another file"
    case .inUse: "is being written by another run; wait for it, or choose another file"
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

/// What a path leads to.
package enum FileKind {
  case regular
  case folder
  case symbolicLink
  /// A pipe, a socket or a device.
  case special

  init(_ status: stat) {
    self =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFLNK: .symbolicLink
      default: .special
      }
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
    _ path: FilePath, limit: Int = defaultLimit
  ) throws(FileError) -> [UInt8] {
    let file = try OpenFile(reading: path)
    return try file.rest(after: [], limit: limit)
  }

  /// Writes `bytes` to the file at `path`, or to standard output if it is `-`: all of them, or none.
  package static func write(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
    try Outputs().write(bytes, to: path)
  }

  /// The identity of the file at `path`, or `nil` if there is none.
  package static func identity(_ path: FilePath) -> FileIdentity? {
    status(path).map { FileIdentity($0) }
  }

  /// Creates the folder at `path` and its parents, unless they exist.
  package static func makeFolder(_ path: FilePath) throws(FileError) {
    func make(_ path: FilePath) -> Bool { unsafe path.withCString { unsafe mkdir($0, 0o777) } == 0 }
    guard kind(path) != .folder, !make(path) else { return }
    let error = SystemError.last
    // Another process may have created it meanwhile.
    if kind(path) == .folder { return }
    guard error.number == ENOENT, path.parent != path, path.parent != "." else {
      throw .unwritable(path: path, error)
    }
    try makeFolder(path.parent)
    guard make(path) || kind(path) == .folder else { throw .unwritable(path: path, .last) }
  }

  /// What the path leads to, through links; `nil` if there is nothing.
  package static func kind(_ path: FilePath) -> FileKind? { status(path).map { FileKind($0) } }

  /// What is at the path itself; `nil` if there is nothing.
  package static func kindOfItem(_ path: FilePath) -> FileKind? {
    var status = stat()
    return unsafe path.withCString { unsafe lstat($0, &status) } == 0 ? FileKind(status) : nil
  }

  private static func status(_ path: FilePath) -> stat? {
    var status = stat()
    return unsafe path.withCString { unsafe stat($0, &status) } == 0 ? status : nil
  }

  /// The target of the symbolic link at `path`, as it is stored; `nil` if it is no link. The system
  /// writes at most `PATH_MAX` bytes.
  static func linkTarget(_ path: FilePath) -> FilePath? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe path.withCString { unsafe readlink($0, &bytes, Int(PATH_MAX)) }
    return count < 0 ? nil : FilePath(bytes: bytes[..<count].map { UInt8(bitPattern: $0) })
  }

  /// Removes the file at `path`, if there is one.
  package static func remove(_ path: FilePath) {
    _ = unsafe path.withCString { unsafe unlink($0) }
  }

  /// The names in a folder, sorted. An entry is valid until the next is read, and its name ends
  /// within the entry; the name is copied immediately.
  package static func list(_ path: FilePath) throws(FileError) -> [FilePath] {
    guard let folder = unsafe path.withCString({ unsafe opendir($0) }) else {
      throw .unreadable(path: path, .last)
    }
    defer { _ = unsafe closedir(folder) }
    var names: [FilePath] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe FilePath(bytes: $0.prefix { $0 != 0 })
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw .unreadable(path: path, .last) }
    return names.sorted()
  }

  /// The paths that match a pattern with `*`, `?` and `[…]`, sorted as in a shell.
  package static func matches(of pattern: FilePath) -> [FilePath] {
    // The system owns the paths and reports their number; they are valid until `globfree`.
    var result = unsafe glob_t()
    defer { unsafe globfree(&result) }
    let status = unsafe pattern.withCString { unsafe glob($0, 0, nil, &result) }
    guard status == 0 else { return [] }
    return (0..<Int(unsafe result.gl_pathc)).compactMap { index in
      unsafe result.gl_pathv[index].map { path in
        unsafe FilePath(bytes: UnsafeRawBufferPointer(start: path, count: strlen(path)))
      }
    }
  }

  /// The lines of a text file without empty ones.
  package static func lines(_ path: FilePath) throws(FileError) -> [String] {
    String(decoding: try read(path), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
  }
}
