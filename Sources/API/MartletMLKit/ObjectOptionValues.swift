//===--- ObjectOptionValues.swift - ML Kit's options as a configuration ---===//
//
// Contract  A detector copies these values when it is made; later changes of the options do not
//           affect it.
//===----------------------------------------------------------------------===//

import MartletVision

/// The values of ML Kit's options of object detectors.
struct ObjectOptionValues: Sendable {
  /// What the detector does, apart from the values below.
  var configuration = ObjectConfiguration()
  /// How objects are labeled if `classifies` is set.
  var labels = LabelConfiguration()
  /// The custom classifier; `nil` for the coarse one.
  let classifier: LocalModel?
  /// A detector that replaces the built-in localizer.
  var detector: LocalModel?
  var classifies = false
  var findsSeveral = false
  var maximumObjectCount = ObjectConfiguration.severalLimit
  var confidenceThreshold: Double?
  var refusesMainThread = false
  var execution = Interpreter.Options(workers: .pool)

  init(classifier: LocalModel?) {
    self.classifier = classifier
    configuration.isStream = true
  }

  /// The configuration with its models, which are read. If objects are not classified, the
  /// classifier's file must still exist.
  func completed(readsClassifier: Bool) throws(VisionError) -> ObjectConfiguration {
    var configuration = configuration
    configuration.limit =
      !findsSeveral
      ? 1 : maximumObjectCount > 0 ? maximumObjectCount : ObjectConfiguration.severalLimit
    if let detector { configuration.detector = try detector.file() }
    guard readsClassifier else { return configuration }
    guard classifies else {
      try classifier?.checkExistence()
      if detector == nil { configuration.filter = .none }
      return configuration
    }
    var labels = labels
    if let classifier { labels.classifier = try classifier.file() }
    labels.threshold = confidenceThreshold.map(Float.init)
    configuration.labels = labels
    return configuration
  }
}
