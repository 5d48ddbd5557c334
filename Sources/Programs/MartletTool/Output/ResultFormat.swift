//===--- ResultFormat.swift - tables, JSON Lines and CSV ------------------===//

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
      "--json", excludes: ["--format"],
      help: "Print a line of JSON per image; short for --format json"),
    OptionSpecification("--format", "table|json|csv", help: "Output format (default: table)"),
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
  /// printed by the caller.
  func report<Result: Finding>(
    _ findings: [Result], in path: FilePath, frame: Int? = nil, _ size: ImageSize,
    _ members: [(String, JSON)]
  ) {
    switch self {
    case .table: break
    case .json: Streams.out("\(Result.line(of: path, frame: frame, size, findings) + members)")
    case .csv:
      let name = "\(path)"
      if findings.isEmpty { Streams.out(CSV.line(Result.csv(name, frame: frame))) }
      for (index, finding) in findings.enumerated() {
        Streams.out(CSV.line(finding.csv(name, frame: frame, number: index + 1)))
      }
    }
  }

  /// Prints the error of an image or frame as JSON or CSV.
  func report<Result: Finding>(
    _ error: any Error, about path: FilePath, frame: Int? = nil, _ type: Result.Type
  ) {
    switch self {
    case .table: break
    case .json: Streams.out("\(JSON.failure(of: path, frame: frame, error))")
    case .csv: Streams.out(CSV.line(Result.csv("\(path)", frame: frame, error: error)))
    }
  }
}

extension Finding {
  /// The JSON line of an image with these detections.
  static func line(of path: FilePath, frame: Int?, _ size: ImageSize, _ findings: [Self]) -> JSON {
    line(of: "\(path)", frame: frame, size, findings) + path.json("image")
  }
}

extension JSON {
  /// The line of an image, or of a frame of a video, that failed.
  static func failure(of path: FilePath, frame: Int? = nil, _ error: any Error) -> JSON {
    failure(of: "\(path)", frame: frame, "\(error)") + path.json("image")
  }
}

extension CSV {
  /// The names of the columns of `labelLine(_:_:error:)`.
  static let labelColumns = CSV.line(["image", "label", "index", "confidence", "error"])

  /// The CSV line for one label of a whole image.
  static func labelLine(
    _ path: FilePath, _ label: ObjectLabel? = nil, error: (any Error)? = nil
  ) -> String {
    CSV.line(["\(path)"] + values(of: label) + [error.map { "\($0)" } ?? ""])
  }

  /// The text, the index and the confidence of a label; empty if there is none.
  static func values(of label: ObjectLabel?) -> [String] {
    [
      label?.text ?? "", label.map { String($0.index) } ?? "",
      label?.confidence.text(places: 4) ?? "",
    ]
  }
}
