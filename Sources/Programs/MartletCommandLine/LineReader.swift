//===--- LineReader.swift - reading a file line by line -------------------===//
//
// Contract  A line is returned as soon as its end arrives, so that a pipe is processed line by
//           line. A longer line than the limit throws `FileError.lineLength`.
//===----------------------------------------------------------------------===//

/// Reads the lines of a file, which end with any byte.
package struct LineReader {
  private let file: OpenFile
  private let path: FilePath
  /// The longest line in bytes.
  private let limit: Int
  private var waiting: [UInt8] = []
  /// The number of buffered bytes that were already returned.
  private var start = 0
  private var isAtEnd = false

  package init(_ file: OpenFile, path: FilePath, limit: Int) {
    self.file = file
    self.path = path
    self.limit = limit
  }

  /// Returns what was read and not returned, at least up to the first of `ends`; less at the end.
  package mutating func beginning(upTo ends: [UInt8]) throws(FileError) -> ArraySlice<UInt8> {
    while !waiting[start...].contains(where: ends.contains), try more() {}
    return waiting[start...]
  }

  /// Skips bytes that `beginning(upTo:)` returned.
  package mutating func skip(_ count: Int) { start += count }

  /// Returns the next line and whether its end was found, or `nil` at the end of the file.
  package mutating func next(
    endingWith end: UInt8
  ) throws(FileError) -> (line: ArraySlice<UInt8>, isWhole: Bool)? {
    var searched = start
    while true {
      if let index = waiting[searched...].firstIndex(of: end) {
        defer { start = index + 1 }
        return (waiting[start..<index], true)
      }
      let count = waiting.count - start
      guard try more() else {
        defer { start = waiting.endIndex }
        return count > 0 ? (waiting[start...], false) : nil
      }
      searched = start + count
    }
  }

  /// Reads a piece of the file; returns whether there was one.
  private mutating func more() throws(FileError) -> Bool {
    guard !isAtEnd else { return false }
    guard waiting.count - start <= limit else { throw .lineLength(path: path, limit: limit) }
    waiting.removeFirst(start)
    start = 0
    let piece = try file.piece()
    isAtEnd = piece.isEmpty
    waiting += piece
    return !isAtEnd
  }
}
