//===--- ClassifyCommand.swift - martlet classify -------------------------===//

import MartletCommandLine
import MartletVision

struct ClassifyCommand: Command {
  static let specification = CommandSpecification(
    name: "classify", summary: "Names what whole pictures show.", operands: "IMAGE...",
    operandCount: 0...Int.max,
    options: Inputs.options + ClassifierOptions.options() + ResultFormat.options)

  private let inputs: Inputs
  private let classifier: ClassifierOptions
  private let options: Interpreter.Options
  private let format: ResultFormat

  init(_ arguments: Arguments) throws(UsageError) {
    inputs = try Inputs(arguments)
    classifier = try ClassifierOptions(arguments)
    options = try arguments.interpreterOptions()
    format = try ResultFormat(arguments)
  }

  func run() -> Int32 {
    let classifier: Classifier
    do {
      classifier = try self.classifier.classifier(options)
    } catch {
      Streams.failure(error)
      return 1
    }
    var table = TextTable([
      ("image", .left), ("labels", .left), (inputs.hasTimings ? "ms" : "", .right),
    ])
    if format == .csv { Streams.out(CSV.labelColumns) }
    let status = inputs.forEach(options.workers, failed: report) { input in
      let image = input.file.upright
      let labels = try classifier.labels(in: image)
      switch format {
      case .table:
        let words = labels.map(\.words).joined(separator: ", ")
        table.add(input.path, words.isEmpty ? "unknown" : words, input.watch.words)
      case .json:
        let json = JSON.object(
          [
            ("image", .string(input.path)), ("width", .integer(image.width)),
            ("height", .integer(image.height)), ("labels", .array(labels.map(\.json))),
          ] + input.watch.json)
        Streams.out("\(json)")
      case .csv:
        if labels.isEmpty { Streams.out(CSV.labelLine(input.path)) }
        for label in labels { Streams.out(CSV.labelLine(input.path, label)) }
      }
    }
    if !table.rows.isEmpty { Streams.out("\(table)") }
    return status
  }

  private func report(_ path: String, _ reason: any Error) {
    switch format {
    case .table: break
    case .json: Streams.out("\(JSON.failure(of: path, reason))")
    case .csv: Streams.out(CSV.labelLine(path, error: reason))
    }
  }
}
