//===--- Networks+Images.swift - networks from files, for images of ML Kit ===//
//
// Checked   Tests/MartletTests/ClassifierTests.swift, Tests/MartletTests/ObjectStreamTests.swift
//===----------------------------------------------------------------------===//

import MartletVision

extension Classifier {
  /// A classifier from the contents of a TensorFlow Lite file.
  ///
  /// A `threshold` outside of 0...1 and a `maximumLabelCount` below 1 count as `nil`. `labels` and
  /// `normalization` override the model's metadata. With `dropsBackground`, labels that mean "none
  /// of these" are dropped.
  public convenience init(
    modelBytes: [UInt8], threshold: Float? = nil, maximumLabelCount: Int? = nil,
    labels: [String]? = nil, normalization: PixelNormalization? = nil,
    dropsBackground: Bool = false, options: Interpreter.Options = .init()
  ) throws(VisionError) {
    try self.init(
      ModelFile(modelBytes, labels: labels, normalization: normalization), threshold: threshold,
      maximumLabelCount: maximumLabelCount, dropsBackground: dropsBackground, options: options)
  }
}

extension Classifier {
  /// Returns the labels of an upright image, sorted by decreasing confidence.
  ///
  /// The coarse classifier returns at most one label, and none if the class is unknown.
  ///
  /// - Throws: `VisionError`.
  public func labels(in image: some MLKitCompatibleImage) throws(VisionError) -> [ObjectLabel] {
    try labels(in: try image.image().detectionImage.pixels)
  }

  /// Returns the same labels with the category and the fine labels.
  ///
  /// - Throws: `VisionError`.
  public func classification(
    in image: some MLKitCompatibleImage
  ) throws(VisionError) -> Classification {
    try classification(in: try image.image().detectionImage.pixels)
  }
}

extension ObjectFinder {
  /// A finder with the built-in localizer, or with the detector in a file.
  convenience init(
    classifier: Classifier?, detector: LocalModel?, minimumObjectScore: Float?,
    reportsAll: Bool = false, options: Interpreter.Options
  ) throws(VisionError) {
    var file: ModelFile?
    if let detector { file = try detector.file() }
    try self.init(
      classifier: classifier, detector: file, minimumObjectScore: minimumObjectScore,
      reportsAll: reportsAll, options: options)
  }
}

extension ObjectStream {
  /// A stream with the built-in networks. `classifier` replaces the coarse classifier, `detector`
  /// the localizer.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public convenience init(
    options: ObjectStreamOptions = .init(), classifier given: Classifier? = nil,
    detector: LocalModel? = nil, minimumObjectScore: Float? = nil,
    interpreterOptions: Interpreter.Options = .init()
  ) throws(VisionError) {
    var classifier = given
    if options.shouldEnableClassification, given == nil {
      classifier = try Classifier(options: interpreterOptions)
    }
    self.init(
      try ObjectFinder(
        classifier: classifier, detector: detector, minimumObjectScore: minimumObjectScore,
        options: interpreterOptions), options: options)
  }
}
