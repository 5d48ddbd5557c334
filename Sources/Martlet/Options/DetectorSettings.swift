//===--- DetectorSettings.swift - the values that options hold ------------===//
//
// What a detector takes from its options when it is made, by value: later changes do not reach it.
//
// Checked   Tests/MartletTests/ObjectDetectorOptionsTests.swift
//===----------------------------------------------------------------------===//

import MartletVision

/// The values of a detector's options.
struct DetectorSettings: Sendable {
  /// Which classifier names objects.
  enum ClassifierSource: Sendable {
    case coarse
    case custom(LocalModel)
  }

  let classifier: ClassifierSource
  /// A detector in place of the shipped localizer.
  var detector: LocalModel?
  var mode = ObjectDetectorMode.stream
  var findsSeveral = false
  var classifies = false
  var maximumObjectCount = CommonObjectDetectorOptions.defaultMaximumObjectCount
  var leastScore: Float?
  var confidenceThreshold: Double?
  var maximumLabelCount = Classifier.defaultMaximumLabelCount
  var dropsBackground = false
  var labelFilter = LabelFilter.none
  /// The part of each upright image that is processed, if not all.
  var region: Box?
  var refusesMainThread = false
  var interpreter = Interpreter.Options()
  /// What concerns streams alone.
  var stream = ObjectStreamOptions()

  /// How many objects are given at most.
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
      classifier: classifier, detector: detector, minimumObjectScore: leastScore,
      options: interpreter.stoppingWithCall)
  }

  /// The classifier that the settings select. Not to be called where objects are not classified: then
  /// a model is not even read.
  func makeClassifier() throws(VisionError) -> Classifier {
    switch classifier {
    case .coarse: return try Classifier(options: interpreter.stoppingWithCall)
    case .custom(let model):
      return try Classifier(
        try model.file(), threshold: confidenceThreshold.map(Float.init),
        maximumLabelCount: maximumLabelCount, dropsBackground: dropsBackground,
        filter: labelFilter, options: interpreter.stoppingWithCall)
    }
  }

  /// Checks that the classifier's file is there, where it is not read because objects are not classified.
  func checkClassifier() throws(VisionError) {
    if case .custom(let model) = classifier { try model.checkExistence() }
  }
}
