//===--- Finding.swift - detections in every output format ----------------===//
//
// Objects and faces share a box, a score and an identifier. This protocol provides the rest.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// A detection in an image.
protocol Finding: Sendable {
  /// The heading of the column with the detection's number.
  static var noun: String { get }
  /// The additional columns of a table for this kind.
  static var columns: [(title: String, alignment: TextTable.Alignment)] { get }
  /// The names of the additional CSV columns for this kind.
  static var csvFields: [String] { get }

  /// The JSON line of an image with these detections.
  static func line(of name: String, frame: Int?, _ size: ImageSize, _ findings: [Self]) -> JSON

  var frame: Box { get }
  var score: Float { get }
  var trackingID: Int? { get }
  /// The cells of `columns`.
  var cells: [String] { get }
  /// The values of `csvFields`.
  var csvValues: [String] { get }
  /// The details printed after the box in one-line output.
  var words: [String] { get }

  /// The class in annotations for training.
  var className: String { get }

  /// The annotation for drawing; `index` is the position in the image's list.
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
  /// An empty table, with a column of times if requested; `pathWidth` is the width of the paths.
  static func table(hasTimings: Bool, pathWidth: Int = 0) -> TextTable {
    TextTable(
      [
        ("image", .left), (noun, .right), ("x", .right), ("y", .right), ("width", .right),
        ("height", .right), ("score", .right),
      ] + columns + [(hasTimings ? "ms" : "", .right)], leastWidth: pathWidth)
  }

  /// Adds a row for each detection of an image, or a row that says `none`.
  static func add(
    _ findings: [Self], in path: String, time: String, to table: inout TextTable
  ) {
    if findings.isEmpty {
      let empty = [String](repeating: "", count: 5 + columns.count)
      table.add([path, "none"] + empty + [time])
    }
    for (index, finding) in findings.enumerated() {
      table.add(
        [path, String(index + 1)] + finding.wholePixels + [finding.score.padded]
          + finding.cells + [index == 0 ? time : ""])
    }
  }
}

// MARK: - CSV

extension Finding {
  /// The names of the CSV columns.
  static var csvColumns: [String] {
    ["image", "frame", noun, "x", "y", "width", "height", "score", "trackingID"] + csvFields
      + ["error"]
  }

  /// The CSV fields of the `number`th detection of an image or frame.
  func csv(_ path: String, frame index: Int?, number: Int) -> [String] {
    [path, index.map { String($0) } ?? "", String(number)]
      + [frame.x, frame.y, frame.width, frame.height].map { $0.text(places: 2) }
      + [score.text(places: 4), trackingID.map { String($0) } ?? ""] + csvValues + [""]
  }

  /// The CSV fields of an image or frame without detections, or with an error.
  static func csv(
    _ path: String, frame index: Int? = nil, error: (any Error)? = nil
  ) -> [String] {
    let empty = [String](repeating: "", count: csvColumns.count - 3)
    return [path, index.map { String($0) } ?? ""] + empty + [error.map { "\($0)" } ?? ""]
  }
}

extension Float {
  /// The number with this many decimal places, at least one; empty if it is not finite.
  func text(places: Int, isPadded: Bool = false) -> String {
    JSON.decimal(Double(self), places: places, isPadded: isPadded) ?? ""
  }

  /// The number with two decimal places.
  var padded: String { text(places: 2, isPadded: true) }
}
