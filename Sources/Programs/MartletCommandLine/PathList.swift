//===--- PathList.swift - a list of paths ---------------------------------===//
//
// The paths of `--files-from`: one a line, as `find` prints them, or each ended by a zero byte, as
// `find -print0` does. The beginning of the list shows which.
//
// Contract  Empty lines are skipped, and so is a UTF-8 byte order mark at the start. If lines are
//           read, a carriage return before a line feed is removed, and a zero byte is an error. A
//           UTF-16 list, a path of more than 64 KiB, and an empty path between zero bytes, as in
//           `/dev/zero`, are errors.
//===----------------------------------------------------------------------===//

/// Reads the paths of a list one by one.
package struct PathList {
  /// The longest path in bytes: 64 KiB.
  package static let limit = 1 << 16

  private static let newline = UInt8(ascii: "\n")

  private let path: FilePath
  private var reader: LineReader
  /// What ends a path; `nil` until the beginning is read.
  private var end: UInt8?

  /// Opens the list at `path`, or on standard input if it is `-`.
  package init(_ path: FilePath) throws(FileError) {
    self.path = path
    reader = LineReader(try OpenFile(reading: path), path: path, limit: PathList.limit)
  }

  /// Returns the next path that is not empty, or `nil` at the end.
  package mutating func next() throws(FileError) -> FilePath? {
    let end: UInt8
    if let known = self.end { end = known } else { end = try begin() }
    self.end = end
    while let (line, _) = try reader.next(endingWith: end) {
      if end == 0 {
        guard !line.isEmpty else { throw .emptyPath(path: path) }
        return FilePath(bytes: line)
      }
      guard !line.contains(0) else { throw .mixedSeparators(path: path) }
      let name = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if !name.isEmpty { return FilePath(bytes: name) }
    }
    return nil
  }

  private mutating func begin() throws(FileError) -> UInt8 {
    let beginning = try reader.beginning(upTo: [0, PathList.newline])
    if beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) {
      throw .isUTF16(path: path)
    }
    let end = beginning.contains(0) ? 0 : PathList.newline
    if beginning.starts(with: [0xEF, 0xBB, 0xBF]) { reader.skip(3) }
    return end
  }
}
