//===--- ResultFormat.swift - tables, JSON Lines and CSV ------------------===//
//
// Checked   Tests/MartletToolTests/ResultFormatTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// The output format of results.
enum ResultFormat {
  case table
  case json
  case csv

  static let options = [
    OptionSpecification(
      "--json", excludes: ["--format"], help: "one line of JSON for each image, as --format json"),
    OptionSpecification(
      "--format", "table|json|csv", help: "how results are printed (default: table)"),
  ]

  /// The format selected by `--json` or `--format`.
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

extension ResultFormat {
  /// Prints the names of the CSV columns, if the format is CSV.
  func begin<Result: Finding>(_ type: Result.Type) {
    if self == .csv { Streams.out(CSV.line(Result.csvColumns)) }
  }

  /// Prints the results of an image or frame as JSON, with further members, or as CSV. Tables are
  /// printed by the caller. JSON goes to `file` instead of standard output if there is one.
  func report<Result: Finding>(
    _ findings: [Result], in name: String, frame: Int? = nil, _ size: ImageSize,
    _ members: [(String, JSON)], to file: OpenFile? = nil
  ) {
    switch self {
    case .table: break
    case .json:
      Streams.out("\(Result.line(of: name, frame: frame, size, findings) + members)", to: file)
    case .csv:
      if findings.isEmpty { Streams.out(CSV.line(Result.csv(name, frame: frame))) }
      for (index, finding) in findings.enumerated() {
        Streams.out(CSV.line(finding.csv(name, frame: frame, number: index + 1)))
      }
    }
  }

  /// Prints the error of an image or frame as JSON or CSV.
  func report<Result: Finding>(
    _ error: any Error, about name: String, frame: Int? = nil, _ type: Result.Type,
    to file: OpenFile? = nil
  ) {
    switch self {
    case .table: break
    case .json: Streams.out("\(JSON.failure(of: name, frame: frame, "\(error)"))", to: file)
    case .csv: Streams.out(CSV.line(Result.csv(name, frame: frame, error: error)))
    }
  }
}

extension CSV {
  /// The names of the columns of `labelLine(_:_:error:)`.
  static let labelColumns = CSV.line(["image", "label", "index", "confidence", "error"])

  /// The CSV line for one label of a whole image.
  static func labelLine(
    _ path: String, _ label: ObjectLabel? = nil, error: (any Error)? = nil
  ) -> String {
    CSV.line([path] + values(of: label) + [error.map { "\($0)" } ?? ""])
  }

  /// The text, the index and the confidence of a label; empty if there is none.
  static func values(of label: ObjectLabel?) -> [String] {
    [
      label?.text ?? "", label.map { String($0.index) } ?? "",
      label?.confidence.text(places: 4) ?? "",
    ]
  }
}
