//===--- ObjectDetector+Options.swift - detector options as a structure ---===//
//
// The same options as ML Kit's classes, as a value with defaults.
//
// Checked   Tests/MartletTests/DetectorOptionStructuresTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletVision

extension ObjectDetector {
  /// The options of an object detector.
  ///
  /// ```swift
  /// let detector = try ObjectDetector(
  ///   .init(mode: .singleImage, maximumObjectCount: 5, classification: .coarse))
  /// ```
  public struct Options: Sendable {
    /// How objects are classified.
    @nonexhaustive
    public enum Classification: Sendable, Hashable {
      /// Objects have no labels.
      case none
      /// Objects have one of the coarse categories: fashion, food, home goods, places, plants.
      case coarse
      /// Objects have one of the coarse categories, and everyday names in `Object.fineLabels`.
      case fine
      /// Objects have labels of a custom classifier: at most `maximumLabelCount`, each with at
      /// least `minimumConfidence`, 0...1. `nil` is the threshold of the model's metadata, or 0.
      case custom(
        LocalModel, minimumConfidence: Double? = nil, maximumLabelCount: Int = 10,
        filter: LabelFilter = .none)
    }

    /// Whether images are independent or frames of a stream. Default: `.stream`.
    public var mode: ObjectDetectorMode
    /// The largest number of objects, at least 1; the most prominent ones are returned. Default: 1.
    public var maximumObjectCount: Int
    /// How objects are classified. Default: `.none`.
    public var classification: Classification
    /// The lowest score of an object, 0...1. Default: `nil`, the detector's own rules: see
    /// ``CommonObjectDetectorOptions/minimumObjectScore``.
    public var minimumScore: Float?
    /// Whether parts of better boxes and doubtful boxes of the whole image are returned, too, for
    /// programs that filter by themselves. Default: `false`.
    public var reportsAll: Bool
    /// A custom detector that replaces the built-in one. Default: `nil`. See
    /// ``CommonObjectDetectorOptions/detectorModel``.
    public var detector: LocalModel?
    /// The part of each image to process, in pixels of the upright image. Default: `nil`, the whole
    /// image.
    public var regionOfInterest: CGRect?
    /// When the objects of a stream start, continue and end; how often they are detected.
    public var tracking: TrackingParameters
    /// The kernels, workers and limits of the networks. They use all processors by default; the
    /// number of workers does not change the results.
    public var interpreter: Interpreter.Options

    /// Options. By default they are for a stream of the most prominent object, without labels.
    public init(
      mode: ObjectDetectorMode = .stream, maximumObjectCount: Int = 1,
      classification: Classification = .none, minimumScore: Float? = nil, reportsAll: Bool = false,
      detector: LocalModel? = nil, regionOfInterest: CGRect? = nil,
      tracking: TrackingParameters = .init(),
      interpreter: Interpreter.Options = .init(workers: .pool)
    ) {
      self.mode = mode
      self.maximumObjectCount = maximumObjectCount
      self.classification = classification
      self.minimumScore = minimumScore
      self.reportsAll = reportsAll
      self.detector = detector
      self.regionOfInterest = regionOfInterest
      self.tracking = tracking
      self.interpreter = interpreter
    }

    /// The same options in the form of ML Kit's classes.
    var settings: DetectorSettings {
      var settings: DetectorSettings
      switch classification {
      case .none, .coarse, .fine:
        settings = DetectorSettings(classifier: .coarse)
        settings.hasFineLabels = classification == .fine
      case .custom(let model, let minimumConfidence, let maximumLabelCount, let filter):
        settings = DetectorSettings(classifier: .custom(model))
        settings.confidenceThreshold = minimumConfidence
        settings.maximumLabelCount = maximumLabelCount
        settings.labelFilter = filter
      }
      settings.classifies = classification != .none
      settings.mode = mode
      settings.findsSeveral = true
      settings.maximumObjectCount = max(maximumObjectCount, 1)
      settings.minimumScore = minimumScore
      settings.reportsAll = reportsAll
      settings.detector = detector
      settings.region = regionOfInterest.map { Box($0) }
      settings.stream.tracking = tracking
      settings.interpreter = interpreter
      return settings
    }
  }

  /// A detector with these options and prepared networks.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public convenience init(_ options: Options) throws(VisionError) {
    self.init(options.settings)
    try prepare()
  }
}
