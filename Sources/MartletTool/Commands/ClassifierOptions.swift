//===--- ClassifierOptions.swift - which classifier, and how strict -------===//

import Martlet
import MartletCommandLine

/// The options by which `detect` and `classify` choose a classifier.
struct ClassifierOptions {
  static let options = [
    OptionSpecification("--model", "FILE.tflite", help: "a classifier of your own"),
    OptionSpecification(
      "--threshold", "X",
      help: "least confidence of a label, 0 to 1, when classifying"),
    OptionSpecification(
      "--max-labels", "N", help: "most labels for each object, when classifying (default: 10)"),
  ]

  let path: String?
  private let threshold: Float?
  private let maximumLabelCount: Int?

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments["--model"]
    threshold = try arguments.number("--threshold", in: 0...1)
    maximumLabelCount = try arguments.integer("--max-labels", in: 1...Int.max)
  }

  /// The classifier that the options ask for: the coarse one unless a model is given.
  func classifier(_ options: Interpreter.Options) throws -> Classifier {
    guard let path else {
      return try Classifier(
        threshold: threshold, maximumLabelCount: maximumLabelCount, options: options)
    }
    return try Classifier(
      modelBytes: try Files.read(path), threshold: threshold,
      maximumLabelCount: maximumLabelCount, options: options)
  }
}

extension ObjectLabel {
  /// The label as the tool's JSON carries it.
  var json: JSON {
    .object([
      ("text", .string(text)), ("index", .integer(index)),
      ("confidence", .number(Double(confidence), places: 4)),
    ])
  }

  /// The label in words: `Food 0.87`.
  var words: String {
    let name = text.isEmpty ? "class \(index)" : text
    return name + " " + (JSON.decimal(Double(confidence), places: 2, isPadded: true) ?? "")
  }
}
