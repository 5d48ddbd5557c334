//===--- LineReader.swift - a text file line by line, as it comes ---------===//
//
// Contract  A line is given as soon as its end has come, so that a pipe is answered line by line.
//           Empty lines are left out, as is a carriage return in front of a line's end. A line of more
//           than 64 KiB is a `FileError`.
// Checked   Tests/MartletCommandLineTests/LineReaderTests.swift
//===----------------------------------------------------------------------===//

/// The lines of a file, one after another.
package struct LineReader {
  /// The longest line, in bytes.
  package static let limit = 1 << 16

  private let file: OpenFile
  private let path: String
  private var waiting: [UInt8] = []
  /// How many of the waiting bytes have been given out.
  private var start = 0
  private var isAtEnd = false

  /// Opens the file at `path`; standard input where it is `-`.
  package init(_ path: String) throws(FileError) {
    file = try OpenFile(reading: path)
    self.path = path
  }

  /// The next line that is not empty, or `nil` at the end.
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
