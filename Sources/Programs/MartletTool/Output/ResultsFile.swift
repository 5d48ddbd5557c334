//===--- ResultsFile.swift - results that a later run continues -----------===//
//
// Contract  Only whole lines of JSON that name an image count; an incomplete last line, as a killed
//           process leaves it, is cut off. A file that is something else is not changed.
// Cost      Reads the file once, in pieces.
// Checked   Tests/MartletToolTests/ResultsFileTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine

/// A file with the results of an earlier run, one line of JSON for each image.
struct ResultsFile {
  /// The images that the file has, errors included.
  let images: Set<String>
  /// The file, open behind its last whole line.
  let file: OpenFile

  /// Reads the file at `path`, if there is one, and opens it for further lines.
  init(continuing path: String) throws {
    var images: Set<String> = []
    var byteCount = 0
    if Files.exists(path) {
      let source = try OpenFile(reading: path)
      var line: [UInt8] = []
      while case let piece = try source.piece(), !piece.isEmpty {
        for part in piece.split(separator: newline, omittingEmptySubsequences: false).dropLast() {
          line += part
          images.insert(try ResultsFile.image(line, at: byteCount))
          byteCount += line.count + 1
          line = []
        }
        line += piece[(piece.lastIndex(of: newline) ?? -1) + 1..<piece.endIndex]
      }
    }
    self.images = images
    file = try OpenFile(continuing: path, after: byteCount)
  }

  private static func image(_ line: [UInt8], at byte: Int) throws(NoResult) -> String {
    guard let json = try? JSON(parsing: line),
      let image: String = try? JSONReader(json).value("image")
    else { throw NoResult(byte: byte) }
    return image
  }
}

private let newline = UInt8(ascii: "\n")

/// A line that is no result of an image.
private struct NoResult: Error, CustomStringConvertible {
  let byte: Int
  var description: String {
    "the line at byte \(byte) is not the JSON of an image; name a file that --resume wrote"
  }
}
