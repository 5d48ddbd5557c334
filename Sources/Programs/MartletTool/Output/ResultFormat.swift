//===--- ResultFormat.swift - tables, JSON, CSV and annotations -----------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// The output format of results.
enum ResultFormat: String, CaseIterable {
  case table, json, csv, coco, yolo

  /// The formats of all commands, and those of boxes in still images.
  static let all: [ResultFormat] = [.table, .json, .csv]
  static let boxes = allCases

  /// The options of a command with these formats.
  static func options(_ formats: [ResultFormat]) -> [OptionSpecification] {
    let names = formats.map(\.rawValue).joined(separator: "|")
    let isExport = formats.contains(.yolo)
    return [
      OptionSpecification(
        "--json", excludes: ["--format"],
        help: "Print a line of JSON per image; short for --format json"),
      OptionSpecification("--format", names, help: "Output format (default: table)"),
      OptionSpecification(
        "--output", isExport ? "PATH" : "FILE",
        help: "Write results to this file instead of standard output"
          + (isExport ? "; yolo: to this folder" : "")),
    ]
  }

  /// The format selected by `--json` or `--format`.
  init(_ arguments: Arguments, of formats: [ResultFormat] = ResultFormat.all) throws(UsageError) {
    if arguments.has("--json") {
      self = .json
      return
    }
    let names = formats.map(\.rawValue)
    guard let format = ResultFormat(rawValue: arguments["--format"] ?? "table"),
      formats.contains(format)
    else {
      throw .invalidValue(
        option: "--format", value: arguments["--format"] ?? "",
        expected: names.joined(separator: " or "))
    }
    if format == .yolo, !arguments.has("--output") {
      throw .needs(option: "--format yolo", others: ["--output"])
    }
    self = format
  }
}

/// Lines of results, on standard output or in the file of `--output`. After an error no more are
/// written.
final class ResultLines {
  private let file: OutputFile?
  private var error: FileError?

  /// - Parameter path: The file; `nil` for standard output.
  init(_ path: FilePath?, of outputs: Outputs) throws(FileError) {
    file = try path.map { path throws(FileError) in try outputs.file(path) }
  }

  func add(_ line: String) {
    guard let file else { return Streams.out(line) }
    guard error == nil else { return }
    do throws(FileError) { try file.append(Array((line + "\n").utf8)) } catch { self.error = error }
  }

  /// Gives the file its name.
  func finish() throws(FileError) {
    if let error { throw error }
    try file?.finish()
  }
}

/// Writes the results of images or frames in one of the formats.
final class ResultWriter<Result: Finding> {
  private let format: ResultFormat
  private let lines: ResultLines
  private var table: TextTable
  private var coco: COCOWriter?
  private var yolo: YOLOWriter?

  /// - Parameters:
  ///   - path: The file of `--output`, or the folder of the format YOLO.
  ///   - table: An empty table, unless the caller prints text.
  ///   - classes: The names of the classes in annotations.
  init(
    _ format: ResultFormat, to path: FilePath?, of outputs: Outputs, _ table: TextTable,
    classes: [String] = []
  ) throws(FileError) {
    (self.format, self.table) = (format, table)
    lines = try ResultLines(format == .yolo ? nil : path, of: outputs)
    switch format {
    case .table, .json: break
    case .csv: lines.add(CSV.line(Result.csvColumns))
    case .coco: coco = COCOWriter(lines, classes)
    case .yolo: yolo = path.map { YOLOWriter($0, outputs, classes) }
    }
  }

  /// Writes the results of an image or frame; `members` are further ones of its JSON.
  func add(
    _ findings: [Result], in path: FilePath, folder: FilePath = "", frame: Int? = nil,
    _ size: ImageSize, _ members: [(String, JSON)], time: String = ""
  ) throws(FileError) {
    let name = "\(path)"
    switch format {
    case .table:
      Result.add(findings, in: name, time: time, to: &table)
      for line in table.takeLines() { lines.add(line) }
    case .json: lines.add("\(Result.line(of: path, frame: frame, size, findings) + members)")
    case .csv:
      if findings.isEmpty { lines.add(CSV.line(Result.csv(name, frame: frame))) }
      for (index, finding) in findings.enumerated() {
        lines.add(CSV.line(finding.csv(name, frame: frame, number: index + 1)))
      }
    case .coco: coco?.add(findings.map(ExportedBox.init), in: name, size)
    case .yolo: try yolo?.add(findings.map(ExportedBox.init), in: path, folder: folder, size)
    }
  }

  /// Writes a line that the caller made.
  func add(_ line: String) { lines.add(line) }

  /// Writes the error of an image or frame, in JSON and CSV only.
  func add(_ error: any Error, about path: FilePath, frame: Int? = nil) {
    switch format {
    case .table, .coco, .yolo: break
    case .json: lines.add("\(JSON.failure(of: path, frame: frame, error))")
    case .csv: lines.add(CSV.line(Result.csv("\(path)", frame: frame, error: error)))
    }
  }

  func finish() throws(FileError) {
    coco?.finish()
    try yolo?.finish()
    try lines.finish()
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
