//===--- LineReader.swift - reading a file line by line -------------------===//
//
// Contract  A line is returned as soon as its end arrives, so that a pipe is processed line by
//           line. Empty lines are skipped, and a carriage return before a line feed is removed. A
//           line of more than 64 KiB throws a `FileError`.
// Checked   Tests/MartletCommandLineTests/LineReaderTests.swift
//===----------------------------------------------------------------------===//

/// Reads the lines of a file.
package struct LineReader {
  /// The longest line in bytes: 64 KiB.
  package static let limit = 1 << 16

  private let file: OpenFile
  private let path: String
  private var waiting: [UInt8] = []
  /// The number of buffered bytes that were already returned.
  private var start = 0
  private var isAtEnd = false

  /// Opens the file at `path`, or standard input if it is `-`.
  package init(_ path: String) throws(FileError) {
    file = try OpenFile(reading: path)
    self.path = path
  }

  /// Returns the next line that is not empty, or `nil` at the end.
  package mutating func next() throws(FileError) -> String? {
    while let line = try nextLine() {
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if !text.isEmpty { return String(decoding: text, as: UTF8.self) }
    }
    return nil
  }

  private mutating func nextLine() throws(FileError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = waiting[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return waiting[start..<end]
      }
      if isAtEnd {
        defer { start = waiting.endIndex }
        return start < waiting.endIndex ? waiting[start...] : nil
      }
      guard waiting.count - start <= LineReader.limit else {
        throw .lineLength(path: path, limit: LineReader.limit)
      }
      searched = waiting.count - start
      waiting.removeFirst(start)
      start = 0
      let piece = try file.piece()
      isAtEnd = piece.isEmpty
      waiting += piece
    }
  }
}
