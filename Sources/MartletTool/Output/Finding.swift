//===--- Finding.swift - what is found in images, in every form of output --===//
//
// Objects and faces have much in common: a box, a score, an identifier. What is their own they tell here.
//
// Checked   Tests/MartletToolTests/ResultFormatTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletJSON
import MartletVision

/// Something that is found in an image.
protocol Finding {
  /// What one is called, in the heads of tables and of CSV.
  static var noun: String { get }
  /// The columns that a table has for this kind alone.
  static var columns: [(title: String, alignment: TextTable.Alignment)] { get }
  /// The names of the columns that CSV has for this kind alone.
  static var csvFields: [String] { get }

  /// The line of JSON of an image in which these were found.
  static func line(of name: String, frame: Int?, _ size: ImageSize, _ findings: [Self]) -> JSON

  var frame: Box { get }
  var score: Float { get }
  var trackingID: Int? { get }
  /// The cells of `columns`.
  var cells: [String] { get }
  /// The values of `csvFields`.
  var csvValues: [String] { get }
  /// What is reported beside the place where there is but one line.
  var words: [String] { get }

  /// How it is drawn, as the image's `index`th of its kind.
  func annotation(at index: Int) -> Annotation
}

extension Finding {
  private var wholePixels: [String] {
    [frame.x, frame.y, frame.width, frame.height].map { String(Int($0.rounded())) }
  }

  /// `#3 at 120,40 60x80 Food 0.87`.
  var sentence: String {
    let numbers = wholePixels
    let place = "at \(numbers[0]),\(numbers[1]) \(numbers[2])x\(numbers[3])"
    return ((trackingID.map { ["#\($0)"] } ?? []) + [place] + words).joined(separator: " ")
  }
}

// MARK: - Tables

extension Finding {
  /// A table, which tells times where they are requested.
  static func table(hasTimings: Bool) -> TextTable {
    TextTable(
      [
        ("image", .left), (noun, .right), ("x", .right), ("y", .right), ("width", .right),
        ("height", .right), ("score", .right),
      ] + columns + [(hasTimings ? "ms" : "", .right)])
  }

  /// Adds a row for each of what was found in an image, or one that says that there is nothing.
  static func add(_ findings: [Self], of input: InputImage, to table: inout TextTable) {
    let time = input.watch.words
    if findings.isEmpty {
      let empty = [String](repeating: "", count: 5 + columns.count)
      table.add([input.path, "none"] + empty + [time])
    }
    for (index, finding) in findings.enumerated() {
      table.add(
        [input.path, String(index + 1)] + finding.wholePixels + [finding.score.padded]
          + finding.cells + [index == 0 ? time : ""])
    }
  }
}

// MARK: - CSV

extension Finding {
  /// The names of CSV's columns.
  static var csvColumns: [String] {
    ["image", "frame", noun, "x", "y", "width", "height", "score", "trackingID"] + csvFields
      + ["error"]
  }

  /// The fields of what was found in an image or in a frame of a video, as its `number`th.
  func csv(_ path: String, frame index: Int?, number: Int) -> [String] {
    [path, index.map { String($0) } ?? "", String(number)]
      + [frame.x, frame.y, frame.width, frame.height].map { $0.text(places: 2) }
      + [score.text(places: 4), trackingID.map { String($0) } ?? ""] + csvValues + [""]
  }

  /// The fields of an image in which nothing was found, or that could not be looked at.
  static func csv(
    _ path: String, frame index: Int? = nil, error: (any Error)? = nil
  ) -> [String] {
    let empty = [String](repeating: "", count: csvColumns.count - 3)
    return [path, index.map { String($0) } ?? ""] + empty + [error.map { "\($0)" } ?? ""]
  }
}

extension Float {
  /// The number to so many decimal places, at least one; empty if it is not finite.
  func text(places: Int, isPadded: Bool = false) -> String {
    JSON.decimal(Double(self), places: places, isPadded: isPadded) ?? ""
  }

  /// The number to two decimal places.
  var padded: String { text(places: 2, isPadded: true) }
}
