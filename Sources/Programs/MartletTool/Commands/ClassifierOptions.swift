//===--- ClassifierOptions.swift - options that select networks -----------===//

import MartletCommandLine
import MartletVision

/// The options of `detect` and `classify` that select a classifier.
enum ClassifierOptions {
  /// The option that turns off the classification of objects.
  static let noClassification = "--no-classify"

  /// The options of detectors of objects. Without one that says how objects are classified, they get
  /// everyday names, unless a file of options is given.
  static let ofObjects: [OptionSpecification] =
    [
      OptionSpecification("--classify", help: "Classify each object, without everyday names"),
      OptionSpecification(
        noClassification, excludes: OptionRule.classifying.map(flag),
        help: "Do not classify objects"),
    ]
    + options().map { option in
      needingLabels.contains { flag($0.option) == option.name }
        ? option.excluding(noClassification) : option
    }

  /// The rules of the options that have no effect unless objects are classified.
  static let needingLabels = OptionRule.classification.filter {
    $0.needs.starts(with: OptionRule.classifying)
  }

  /// The options. Those that need classification need no other option.
  static func options(classifies: Bool = false) -> [OptionSpecification] {
    let options = [
      OptionSpecification(
        "--fine-labels",
        help: classifies
          ? "Also report everyday names, such as person, dog or banana"
          : "Report everyday names (default unless there is a custom detector)"),
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
      OptionSpecification(
        "--allow-labels", "A,B",
        help: classifies ? "Report only these labels" : "Report only objects with these labels"),
      OptionSpecification(
        "--deny-labels", "A,B",
        help: classifies ? "Exclude these labels" : "Exclude objects with these labels"),
      OptionSpecification("--threshold", "X", help: "Lowest confidence of a label, 0–1"),
      OptionSpecification(
        "--max-labels", "N",
        help: "Maximum number of labels per object of a custom classifier (default: 10)"),
    ]
    return options.map { option in
      guard let rule = OptionRule.classification.first(where: { flag($0.option) == option.name })
      else { return option }
      // `classify` has no detector.
      let needs = rule.needs.filter { !classifies || $0 != "detector" }
      return OptionSpecification(
        option.name, option.value, isInput: option.isInput,
        needs: needs.starts(with: OptionRule.classifying) ? [] : needs.map(flag),
        excludes: rule.excludes.map(flag), help: option.help)
    }
  }

  /// The option `maxLabels` of JSON as `--max-labels`.
  static func flag(_ name: String) -> String {
    name == "classifier"
      ? "--model"
      : "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
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
enum LocalizerOptions {
  static let options =
    detectors + [
      OptionSpecification(
        "--min-score", "X",
        help:
          "Lowest score to report, 0–1 (default: \(ReportingRules.minimumScore); one object 0.03)"
      )
    ]
  static let allBoxes = OptionSpecification(
    ClassifierOptions.flag(OptionRule.allBoxes.option),
    needs: OptionRule.allBoxes.needs.map(ClassifierOptions.flag),
    excludes: OptionRule.allBoxes.excludes.map(ClassifierOptions.flag),
    help: "Keep boxes inside better ones and uncertain boxes of the whole image")
  /// The custom detector and its options.
  static let detectors: [OptionSpecification] = [
    OptionSpecification(
      "--detector", "FILE.tflite", isInput: true,
      help: "Custom detector, such as a YOLO, SSD or EfficientDet model"),
    OptionSpecification(
      "--detector-head", "NAME", needs: ["--detector"],
      help: "Kind of its outputs, such as yolov8 (default: see martlet inspect)"),
    OptionSpecification(
      "--overlap", "X", needs: ["--detector"],
      help: "Largest overlap of its boxes of a class, 0–1 (default: the family's)"),
    OptionSpecification(
      "--anchors", "W,H,…", needs: ["--detector"],
      help: "Anchors of its YOLOv2–4 grids in pixels, finest grid first"),
    OptionSpecification(
      "--bgr", needs: ["--detector"], help: "The first channel of its input is blue"),
  ]
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
