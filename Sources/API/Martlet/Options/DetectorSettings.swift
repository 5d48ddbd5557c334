//===--- DetectorSettings.swift - values of detector options --------------===//
//
// A detector copies these values when it is created; later changes of the options do not affect it.
//
// Checked   Tests/MartletTests/ObjectDetectorOptionsTests.swift
//===----------------------------------------------------------------------===//

import MartletVision

/// The values of a detector's options.
struct DetectorSettings: Sendable {
  /// The classifier for objects.
  enum ClassifierSource: Sendable {
    case coarse
    case custom(LocalModel)
  }

  let classifier: ClassifierSource
  /// Whether the coarse classifier also returns fine labels.
  var hasFineLabels = false
  /// A detector that replaces the built-in localizer.
  var detector: LocalModel?
  var mode = ObjectDetectorMode.stream
  var findsSeveral = false
  var classifies = false
  var maximumObjectCount = CommonObjectDetectorOptions.defaultMaximumObjectCount
  var minimumScore: Float?
  var reportsAll = false
  var confidenceThreshold: Double?
  var maximumLabelCount = Classifier.defaultMaximumLabelCount
  var dropsBackground = false
  var labelFilter = LabelFilter.none
  /// The part of each upright image to process; `nil` for all of it.
  var region: Box?
  var refusesMainThread = false
  var interpreter = Interpreter.Options(workers: .pool)
  /// The options for streams only.
  var stream = ObjectStreamOptions()

  /// The largest number of objects.
  var objectLimit: Int {
    guard findsSeveral else { return 1 }
    return maximumObjectCount > 0
      ? maximumObjectCount : CommonObjectDetectorOptions.defaultMaximumObjectCount
  }

  /// The options of a stream.
  var streamOptions: ObjectStreamOptions {
    var options = stream
    options.maximumObjectCount = objectLimit
    options.shouldEnableClassification = classifies
    return options
  }

  /// A finder with the localizer that the settings select.
  func makeFinder(_ classifier: Classifier?) throws(VisionError) -> ObjectFinder {
    try ObjectFinder(
      classifier: classifier, detector: detector, minimumObjectScore: minimumScore,
      reportsAll: reportsAll, options: interpreter.stoppingWithCall)
  }

  /// The classifier that the settings select. Call this only if objects are classified; otherwise
  /// the model need not be read.
  func makeClassifier() throws(VisionError) -> Classifier {
    switch classifier {
    case .coarse:
      let options = interpreter.stoppingWithCall
      return try Classifier(
        fineLabeler: hasFineLabels ? FineLabeler(options: options) : nil, options: options)
    case .custom(let model):
      return try Classifier(
        try model.file(), threshold: confidenceThreshold.map(Float.init),
        maximumLabelCount: maximumLabelCount, dropsBackground: dropsBackground,
        filter: labelFilter, options: interpreter.stoppingWithCall)
    }
  }

  /// Checks that the classifier's file exists if it is not read because objects are not classified.
  func checkClassifier() throws(VisionError) {
    if case .custom(let model) = classifier { try model.checkExistence() }
  }
}
