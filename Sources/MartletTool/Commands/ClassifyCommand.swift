//===--- ClassifyCommand.swift - martlet classify -------------------------===//

import MartletCommandLine
import MartletVision

struct ClassifyCommand: Command {
  static let specification = CommandSpecification(
    name: "classify", summary: "Names what whole pictures show.", operands: "IMAGE...",
    operandCount: 0...Int.max,
    options: Inputs.options + ClassifierOptions.options + [
      OptionSpecification("--json", help: "one line of JSON for each picture")
    ])

  private let inputs: Inputs
  private let classifier: ClassifierOptions
  private let options: Interpreter.Options
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    inputs = try Inputs(arguments)
    classifier = try ClassifierOptions(arguments)
    options = try arguments.interpreterOptions()
    isJSON = arguments.has("--json")
  }

  func run() -> Int32 {
    let classifier: Classifier
    do {
      classifier = try self.classifier.classifier(options)
    } catch {
      Streams.failure(self.classifier.path ?? "the shipped classifier", error)
      return 1
    }
    var table = TextTable([
      ("image", .left), ("labels", .left), (inputs.hasTimings ? "ms" : "", .right),
    ])
    let status = inputs.forEach(options.workers) { path, image, watch in
      let labels = try classifier.labels(in: image)
      if isJSON {
        let json = JSON.object(
          [
            ("image", .string(path)), ("width", .integer(image.width)),
            ("height", .integer(image.height)), ("labels", .array(labels.map(\.json))),
          ] + watch.json)
        Streams.out("\(json)")
      } else {
        let words = labels.map(\.words).joined(separator: ", ")
        table.add(path, words.isEmpty ? "unknown" : words, watch.words)
      }
    }
    if !table.rows.isEmpty { Streams.out("\(table)") }
    return status
  }
}
