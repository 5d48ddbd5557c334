//===--- TextLines.swift - lines of a model's text files ------------------===//
//
// Label lists and score calibrations are text files with one line for each class.
//
// Contract  A final empty line is not a line. A carriage return before a line break and a UTF-8
//           byte order mark at the start are removed. The number of bytes and lines is limited and
//           checked before any line is created; so is the length of each line when it is read.
// Cost      Two passes over the bytes; at most `ModelLimits.textBytes`, and one string for each
//           line.
//===----------------------------------------------------------------------===//

/// An error of reading a text file of labels or calibrations.
@nonexhaustive
public enum TextError: Error, Equatable, Sendable {
  /// The file is larger than `ModelLimits.textBytes`.
  case byteCount(found: Int, limit: Int)
  /// The file has more lines than `ModelLimits.textLines`.
  case lineCount(found: Int, limit: Int)
  /// Line `line` (from 0) is longer than `ModelLimits.textLineBytes`.
  case lineLength(line: Int, found: Int, limit: Int)
}

extension TextError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .byteCount(let found, let limit): "the text has \(found) bytes, expected at most \(limit)"
    case .lineCount(let found, let limit): "the text has \(found) lines, expected at most \(limit)"
    case .lineLength(let line, let found, let limit):
      "line \(line + 1) of the text has \(found) bytes, expected at most \(limit)"
    }
  }
}

/// The lines of a text file.
package enum TextLines {
  /// Returns the lines of `text`, without line terminators.
  package static func read(_ text: [UInt8]) throws(TextError) -> [String] {
    guard text.count <= ModelLimits.textBytes else {
      throw .byteCount(found: text.count, limit: ModelLimits.textBytes)
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let body = text.starts(with: mark) ? text.dropFirst(mark.count) : text[...]
    let count = body.count { $0 == newline } + (body.last.map { $0 == newline ? 0 : 1 } ?? 0)
    guard count <= ModelLimits.textLines else {
      throw .lineCount(found: count, limit: ModelLimits.textLines)
    }
    var lines: [String] = []
    lines.reserveCapacity(count)
    var rest = body
    while !rest.isEmpty {
      var line = rest.prefix { $0 != newline }
      rest = rest[line.endIndex...].dropFirst()
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      guard line.count <= ModelLimits.textLineBytes else {
        throw .lineLength(
          line: lines.count, found: line.count, limit: ModelLimits.textLineBytes)
      }
      lines.append(String(decoding: line, as: UTF8.self))
    }
    return lines
  }

  private static let newline = UInt8(ascii: "\n")
}
