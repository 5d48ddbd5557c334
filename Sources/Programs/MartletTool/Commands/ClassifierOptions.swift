//===--- ClassifierOptions.swift - options that select networks -----------===//

import MartletCommandLine
import MartletVision

/// The options of `detect` and `classify` that select a classifier.
struct ClassifierOptions {
  /// The options. In `classify` those that need classification need no other option.
  static func options(classifies: Bool = false) -> [OptionSpecification] {
    let options = [
      OptionSpecification(
        "--fine-labels", help: "Also report everyday names, such as person, dog or banana"),
      OptionSpecification("--model", "FILE.tflite", isInput: true, help: "Custom classifier"),
      OptionSpecification(
        "--labels", "FILE", isInput: true,
        help: "File with the names of the classes, one a line (default: the model's)"),
      OptionSpecification(
        "--mean", "X[,Y,Z]",
        help: "Mean to subtract from each channel, 0–255 (default: the model's)"),
      OptionSpecification(
        "--std", "X[,Y,Z]",
        help: "Standard deviation to divide each channel by (default: the model's)"),
      OptionSpecification("--drop-background", help: "Exclude labels that stand for background"),
      OptionSpecification("--allow-labels", "A,B", help: "Report only these labels"),
      OptionSpecification("--deny-labels", "A,B", help: "Exclude these labels"),
      OptionSpecification("--threshold", "X", help: "Lowest confidence of a label, 0–1"),
      OptionSpecification(
        "--max-labels", "N",
        help: "Maximum number of labels per object of a custom classifier (default: 10)"),
    ]
    return options.map { option in
      guard let rule = OptionRule.classification.first(where: { flag($0.option) == option.name })
      else { return option }
      return OptionSpecification(
        option.name, option.value, isInput: option.isInput,
        needs: classifies && rule.needs == OptionRule.classifying ? [] : rule.needs.map(flag),
        excludes: rule.excludes.map(flag), help: option.help)
    }
  }

  /// The option `maxLabels` of JSON as `--max-labels`.
  static func flag(_ name: String) -> String {
    name == "classifier"
      ? "--model"
      : "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
  }

  /// The path of a custom classifier; `nil` for the built-in one.
  let path: FilePath?
  /// Whether the built-in classifier also returns fine labels.
  let hasFineLabels: Bool
  private let labels: FilePath?
  private let normalization: PixelNormalization?
  private let dropsBackground: Bool
  private let filter: LabelFilter
  private let threshold: Float?
  private let maximumLabelCount: Int?

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.path("--model")
    hasFineLabels = arguments.has("--fine-labels")
    labels = arguments.path("--labels")
    normalization = try arguments.normalization().map { means, deviations throws(UsageError) in
      do throws(ImageError) {
        return try PixelNormalization(mean: means, deviation: deviations)
      } catch {
        throw .invalidValue(
          option: "--std", value: arguments["--std"] ?? "", expected: "nonzero numbers")
      }
    }
    dropsBackground = arguments.has("--drop-background")
    filter =
      if let names = arguments["--allow-labels"] {
        .allow(Set(names.split(separator: ",").map(String.init)))
      } else {
        .deny(Set((arguments["--deny-labels"] ?? "").split(separator: ",").map(String.init)))
      }
    threshold = try arguments.number("--threshold", in: 0...1)
    maximumLabelCount = try arguments.integer("--max-labels", in: 1...Int.max)
  }

  /// Whether the options alone enable classification.
  var isRequested: Bool { path != nil || hasFineLabels }

  /// The classifier that the options select. Default: the coarse one.
  func classifier(_ options: Interpreter.Options) throws(FailedFile) -> Classifier {
    guard let path else {
      return try FailedFile.naming("the shipped classifier") {
        try Classifier(
          threshold: threshold,
          fineLabeler: hasFineLabels ? FineLabeler(options: options, lock: .none) : nil,
          options: options, lock: .none)
      }
    }
    let names = try labels.map { path throws(FailedFile) in try Files.labels(path) }
    return try FailedFile.naming(path) {
      try Classifier(
        ModelFile(try Files.model(path), labels: names, normalization: normalization),
        threshold: threshold, maximumLabelCount: maximumLabelCount,
        dropsBackground: dropsBackground, filter: filter, options: options, lock: .none)
    }
  }
}

extension Files {
  /// Reads the labels in the file at `path`, one per line.
  static func labels(_ path: FilePath) throws(FailedFile) -> [String] {
    try FailedFile.naming(path) {
      try TextLines.read(try Files.read(path, limit: ModelLimits.textBytes))
    }
  }
}

/// The options that replace the shipped localizer and set its threshold.
struct LocalizerOptions {
  static let options = [
    detector,
    OptionSpecification(
      "--min-score", "X",
      help: "Lowest score to report, 0–1 (default: \(ReportingRules.minimumScore); one object 0.03)"
    ),
  ]
  static let allBoxes = OptionSpecification(
    ClassifierOptions.flag(OptionRule.allBoxes.option),
    needs: OptionRule.allBoxes.needs.map(ClassifierOptions.flag),
    excludes: OptionRule.allBoxes.excludes.map(ClassifierOptions.flag),
    help: "Keep boxes inside better ones and uncertain boxes of the whole image")
  static let detector = OptionSpecification(
    "--detector", "FILE.tflite", isInput: true,
    help: "Custom detector with the operator TFLite_Detection_PostProcess")

  /// The path of the detector's file; `nil` for the shipped localizer.
  let path: FilePath?
  /// The lowest score of an object; `nil` for the detector's own rules.
  let minimumScore: Float?
  private let reportsAll: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.path("--detector")
    minimumScore = try arguments.number("--min-score", in: 0...1)
    reportsAll = arguments.has(LocalizerOptions.allBoxes.name)
  }

  /// A finder with the selected detector.
  func finder(
    _ classifier: Classifier?, _ options: Interpreter.Options
  ) throws(FailedFile) -> ObjectFinder {
    try FailedFile.naming(path ?? "the shipped localizer") {
      try ObjectFinder(
        classifier: classifier,
        detector: try path.map { ModelFile(try Files.model($0), labels: nil, normalization: nil) },
        minimumObjectScore: minimumScore, reportsAll: reportsAll, options: options, lock: .none)
    }
  }
}

extension Arguments {
  /// Means and standard deviations of pixels, if both options are given.
  func normalization() throws(UsageError) -> (means: [Float], deviations: [Float])? {
    guard let means = try numbers("--mean"), let deviations = try numbers("--std") else {
      for (given, missing) in [("--mean", "--std"), ("--std", "--mean")] where has(given) {
        throw .invalidValue(
          option: given, value: self[given] ?? "", expected: "\(missing) with it")
      }
      return nil
    }
    guard means.count == deviations.count else {
      throw .invalidValue(
        option: "--std", value: self["--std"] ?? "", expected: "as many numbers as in --mean")
    }
    return (means, deviations)
  }

  /// Parses one number, or three separated by commas.
  private func numbers(_ option: String) throws(UsageError) -> [Float]? {
    guard let text = self[option] else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Float($0) }.filter(\.isFinite)
    guard numbers.count == parts.count, parts.count == 1 || parts.count == 3 else {
      throw .invalidValue(option: option, value: text, expected: "one number, or X,Y,Z")
    }
    return numbers
  }
}
