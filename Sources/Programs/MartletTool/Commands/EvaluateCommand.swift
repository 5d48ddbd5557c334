//===--- EvaluateCommand.swift - martlet evaluate -------------------------===//

import MartletBase
import MartletCommandLine

struct EvaluateCommand: Command {
  static let specification = CommandSpecification(
    name: "evaluate", summary: "Compares boxes with annotations: precision, recall and F1.",
    operands: "BOXES TRUTH.json", operandCount: 2...2, isComputing: false,
    options: [
      OptionSpecification("--ignore-classes", help: "Compare boxes without their classes")
    ] + ResultFormat.options(ResultFormat.all),
    remarks: [
      "BOXES: JSON Lines or COCO JSON of martlet detect, or a list of COCO results",
      "TRUTH.json: annotations as COCO JSON",
      "AP, recall: mean over IoU 0.5 to 0.95; F1: highest at IoU 0.5, at the score shown",
    ])

  private let boxes: FilePath
  private let truth: FilePath
  private let ignoresClasses: Bool
  private let format: ResultFormat
  private let output: FilePath?
  private let outputs: Outputs

  init(_ arguments: Arguments) throws(UsageError) {
    (boxes, truth) = (arguments.operands.first ?? "", arguments.operands.last ?? "")
    ignoresClasses = arguments.has("--ignore-classes")
    format = try ResultFormat(arguments)
    output = arguments.path("--output")
    outputs = Outputs(arguments)
  }

  func run() -> Int32 {
    do throws(FailedFile) {
      var file = try FailedFile.naming(truth) {
        try BoxesFile(
          annotations: JSON(parsing: try Files.read(truth)), ignoresClasses: ignoresClasses)
      }
      try FailedFile.naming(boxes) { try file.add(try Files.read(boxes)) }
      note(file)
      let evaluation = BoxEvaluation(file.boxes)
      try FailedFile.naming(output ?? .standardStream) {
        let lines = try ResultLines(output, of: outputs)
        write(zip(file.classes, evaluation.classes) + [("all", evaluation.all)], lines)
        try lines.finish()
      }
      return 0
    } catch {
      Streams.failure(error)
      return 1
    }
  }

  /// Prints what takes no part in the comparison.
  private func note(_ file: BoxesFile) {
    for (kind, counts) in [("image", file.unknownImages), ("class", file.unknownClasses)] {
      guard let first = counts.keys.min() else { continue }
      let count = counts.values.reduce(0, +)
      Streams.failure(
        "\(boxes)",
        "\(counted(counts.count, kind, kind == "class" ? "classes" : nil)) that \(truth) does not "
          + "have, such as \(first): \(counted(count, "box", "boxes")) left out")
    }
    if file.missingImageCount > 0 {
      Streams.failure(
        "\(truth)", "\(counted(file.missingImageCount, "image")) without boxes in \(boxes)")
    }
  }

  private func write(_ rows: [(name: String, quality: Quality)], _ lines: ResultLines) {
    switch format {
    case .json:
      let objects = rows.map { JSON.object([("class", .string($0.name))] + $0.quality.members) }
      lines.add(
        "\(JSON.object([("classes", .array(objects.dropLast())), ("all", objects[objects.count - 1])]))"
      )
    case .csv:
      lines.add(CSV.line(["class"] + Quality().members.map(\.0)))
      for (name, quality) in rows {
        lines.add(CSV.line([name] + quality.members.map { $1.text }))
      }
    default:
      var table = TextTable([
        ("class", .left), ("boxes", .right), ("AP", .right), ("AP50", .right), ("recall", .right),
        ("F1", .right), ("precision", .right), ("recall50", .right), ("score", .right),
      ])
      for (name, quality) in rows {
        let best = quality.best
        let numbers = [
          quality.averagePrecision, quality.averagePrecision50, quality.averageRecall, best?.f1,
          best?.precision, best?.recall, best?.score,
        ]
        table.add(
          [name, "\(quality.count)"]
            + numbers.map {
              $0.flatMap { JSON.decimal($0, places: 4, isPadded: true) } ?? "-"
            })
      }
      lines.add("\(table)")
    }
  }
}

extension Quality {
  /// The numbers by name; null without annotations.
  fileprivate var members: [(String, JSON)] {
    let sizes = averagePrecisions + [Double?](repeating: nil, count: 3 - averagePrecisions.count)
    let numbers = [
      ("AP", averagePrecision), ("AP50", averagePrecision50), ("APSmall", sizes[0]),
      ("APMedium", sizes[1]), ("APLarge", sizes[2]), ("recall", averageRecall), ("F1", best?.f1),
      ("precision", best?.precision), ("recall50", best?.recall), ("score", best?.score),
    ]
    return [("boxes", .integer(count))]
      + numbers.map { ($0, $1.map { .number($0, places: 4) } ?? .null) }
  }
}

extension JSON {
  /// The value as a field of CSV.
  fileprivate var text: String { if case .null = self { "" } else { description } }
}
