//===--- ObjectOptions.swift - options of detectors of objects ------------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// The options of detectors of objects, and of classifiers.
struct ObjectOptions {
  /// What the detector does, without the files that the options name.
  let configuration: ObjectConfiguration
  private let classifierPath: FilePath?
  private let detectorPath: FilePath?
  private let namesPath: FilePath?

  /// The options. `classifies` says that labels are requested in any case.
  init(
    _ arguments: Arguments, classifies: Bool = false, isStream: Bool = false
  ) throws(UsageError) {
    classifierPath = arguments.path("--model")
    detectorPath = arguments.path("--detector")
    namesPath = arguments.isList("--labels") ? nil : arguments.path("--labels")
    var implied: [(String, JSON)] = []
    let classifying = OptionRule.classifying.map(ClassifierOptions.flag)
    let isClassifying = classifies || classifying.contains { arguments.has($0) }
    // A file says all: without labels there are none.
    let hasNames =
      !isClassifying && detectorPath == nil
      && !arguments.has(ClassifierOptions.noClassification)
      && !arguments.has(Arguments.configurationFile)
    if classifies || classifierPath != nil { implied.append(("classify", .bool(true))) }
    if hasNames { implied.append(("fineLabels", .bool(true))) }
    let hasDetector = detectorPath != nil
    let useless = ClassifierOptions.needingLabels.first { rule in
      arguments.has(ClassifierOptions.flag(rule.option))
        && !(hasDetector && rule.needs.contains("detector"))
    }
    if let useless, !isClassifying, !hasNames {
      throw .needs(option: ClassifierOptions.flag(useless.option), others: classifying)
    }
    if isStream { implied.append(("stream", .bool(true))) }
    configuration = try ObjectConfiguration(arguments, implied: implied)
  }

  /// Whether everyday names are requested.
  var hasFineLabels: Bool { configuration.labels?.hasFineLabels ?? false }

  /// The configuration with the names in the file of `--labels`.
  func named() throws(FailedFile) -> ObjectConfiguration {
    var configuration = configuration
    if let namesPath { configuration.names = try Files.labels(namesPath) }
    return configuration
  }

  /// The classifier that the options select, if any.
  func classifier(_ execution: Interpreter.Options) throws(FailedFile) -> Classifier? {
    var configuration = try named()
    guard configuration.labels != nil else { return nil }
    return try FailedFile.naming(classifierPath ?? "the shipped classifier") {
      configuration.labels?.classifier = try classifierPath.map {
        ModelFile(try Files.model($0), labels: nil, normalization: nil)
      }
      return try configuration.classifierLabels?.makeClassifier(
        configuration.filter, execution: execution, lock: .none)
    }
  }

  /// A finder with the selected networks.
  func finder(_ execution: Interpreter.Options) throws(FailedFile) -> ObjectFinder {
    let classifier = try classifier(execution)
    var configuration = try named()
    if classifierPath != nil { (configuration.names, configuration.normalization) = (nil, nil) }
    return try FailedFile.naming(detectorPath ?? "the shipped localizer") {
      configuration.detector = try detectorPath.map {
        ModelFile(try Files.model($0), labels: nil, normalization: nil)
      }
      return try ObjectFinder(
        configuration, classifier: classifier, execution: execution, lock: .none)
    }
  }
}
