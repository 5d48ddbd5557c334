//===--- ResultFormat.swift - tables, JSON Lines and CSV ------------------===//
//
// Checked   Tests/MartletToolTests/ResultFormatTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletJSON
import MartletVision

/// How results are printed.
enum ResultFormat {
  case table
  case json
  case csv

  static let options = [
    OptionSpecification(
      "--json", excludes: ["--format"], help: "one line of JSON for each picture, as --format json"),
    OptionSpecification(
      "--format", "table|json|csv", help: "how results are printed (default: table)"),
  ]

  /// The format that `--json` or `--format` asks for.
  init(_ arguments: Arguments) throws(UsageError) {
    if arguments.has("--json") {
      self = .json
    } else {
      self =
        try arguments.choice("--format", of: ["table": .table, "json": .json, "csv": .csv])
        ?? .table
    }
  }
}

extension CSV {
  /// The names of the columns of `line(_:_:number:)`.
  static let objectColumns = CSV.line([
    "image", "frame", "object", "x", "y", "width", "height", "score", "trackingID", "category",
    "label", "index", "confidence", "error",
  ])

  /// The line of one object, with its first label.
  static func line(
    _ path: String, frame: Int? = nil, number: Int, _ object: DetectedObject
  ) -> String {
    func text(_ value: Float, _ places: Int) -> String {
      JSON.decimal(Double(value), places: places) ?? ""
    }
    let label = object.labels.first
    let box = object.frame
    let sides = [box.x, box.y, box.width, box.height].map { text($0, 2) }
    return CSV.line(
      [path, frame.map(String.init) ?? "", String(number)] + sides + [
        text(object.score, 4), object.trackingID.map { String($0) } ?? "",
        object.category?.name ?? "", label?.text ?? "", label.map { String($0.index) } ?? "",
        label.map { text($0.confidence, 4) } ?? "", "",
      ])
  }

  /// The line of a picture in which nothing was found, or that could not be looked at.
  static func line(_ path: String, frame: Int? = nil, error: (any Error)? = nil) -> String {
    CSV.line(
      [path, frame.map(String.init) ?? ""] + [String](repeating: "", count: 11)
        + [error.map { "\($0)" } ?? ""])
  }
}

extension CSV {
  /// The names of the columns of `labelLine(_:_:error:)`.
  static let labelColumns = CSV.line(["image", "label", "index", "confidence", "error"])

  /// The line of one label of a whole picture.
  static func labelLine(
    _ path: String, _ label: ObjectLabel? = nil, error: (any Error)? = nil
  ) -> String {
    CSV.line([
      path, label?.text ?? "", label.map { String($0.index) } ?? "",
      label.flatMap { JSON.decimal(Double($0.confidence), places: 4) } ?? "",
      error.map { "\($0)" } ?? "",
    ])
  }
}
