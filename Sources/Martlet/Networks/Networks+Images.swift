//===--- Networks+Images.swift - networks from files, for images of ML Kit ===//
//
// Checked   Tests/MartletTests/ClassifierTests.swift, Tests/MartletTests/ObjectStreamTests.swift
//===----------------------------------------------------------------------===//

import MartletVision

extension Classifier {
  /// The classifier in the TensorFlow Lite file whose contents are `modelBytes`.
  ///
  /// A `threshold` outside of 0...1 counts as not given, and so does a `maximumLabelCount` under 1.
  /// `labels` and `normalization` are used in place of what the metadata says of classes' names and of
  /// pixels. With `dropsBackground`, labels that mean "none of these" are left out.
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
  /// Labels of an upright image, by decreasing confidence.
  ///
  /// The coarse classifier gives at most one label; none means that the image is unknown to it.
  ///
  /// - Throws: `VisionError`.
  public func labels(in image: some MLKitCompatibleImage) throws(VisionError) -> [ObjectLabel] {
    try labels(in: try image.image().upright)
  }
}

extension ObjectFinder {
  /// A finder with the shipped localizer, or with the detector in a file.
  convenience init(
    classifier: Classifier?, detector: LocalModel?, minimumObjectScore: Float?,
    options: Interpreter.Options
  ) throws(VisionError) {
    var file: ModelFile?
    if let detector { file = try detector.file() }
    try self.init(
      classifier: classifier, detector: file, minimumObjectScore: minimumObjectScore,
      options: options)
  }
}

extension ObjectStream {
  /// A stream with the shipped networks, or with `classifier` in place of the coarse one and
  /// `detector` in place of the localizer.
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
