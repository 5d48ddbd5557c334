//===--- ObjectConfiguration.swift - what an object detector does ---------===//
//
// ```swift
// var configuration = ObjectConfiguration(limit: 5, labels: .coarse())
// let finder = try ObjectFinder(configuration)
// let stream = try ObjectStream(configuration)
// ```
//
// In JSON: {"maxObjects":5,"classify":true,"threshold":0.5}. The names are those of the tool's
// options in camel case.
//
// Contract  Every front end makes its detectors from this value: defaults, ranges and rules stand
//           here only.
//===----------------------------------------------------------------------===//

import MartletBase
internal import MartletCodecs

/// How objects are labeled.
public struct LabelConfiguration: Sendable, Hashable {
  /// The custom classifier; `nil` for the built-in one of coarse categories.
  public var classifier: ModelFile?
  /// Whether the built-in classifier also returns everyday names. Default: `false`.
  public var hasFineLabels = false
  /// The lowest confidence of a label, 0...1. Default: `nil`, the classifier's own threshold.
  public var threshold: Float?
  /// The largest number of labels of an object, at least 1; only for a custom classifier. Default:
  /// `nil`, ``Classifier/defaultMaximumLabelCount``.
  public var maximumCount: Int?
  /// Whether labels of a custom classifier that mean "none of these" are dropped. Default: `false`.
  public var dropsBackground = false

  /// The built-in classifier.
  public init() {}

  /// The built-in classifier of coarse categories, which can also return everyday names.
  public static func coarse(fineLabels: Bool = false) -> LabelConfiguration {
    var labels = LabelConfiguration()
    labels.hasFineLabels = fineLabels
    return labels
  }

  /// A classifier of one's own.
  public static func custom(
    _ classifier: ModelFile, threshold: Float? = nil, maximumCount: Int? = nil
  ) -> LabelConfiguration {
    var labels = LabelConfiguration()
    (labels.classifier, labels.threshold) = (classifier, threshold)
    labels.maximumCount = maximumCount
    return labels
  }
}

/// What an object detector does.
public struct ObjectConfiguration: Sendable, Hashable {
  /// Whether the images are the frames of a stream, in order. Default: `false`.
  public var isStream = false
  /// The largest number of objects, at least 1. Default: 1, the most prominent one.
  public var limit = 1
  /// The lowest score of a reported object, 0...1. Default: `nil`, the rules of ``ObjectFinder`` and
  /// ``ObjectStream``.
  public var minimumScore: Float?
  /// Whether parts of better boxes and doubtful boxes of the whole image are reported, too. Default:
  /// `false`.
  public var reportsAll = false
  /// The part of each upright image to process, in pixels of the full image. Default: `nil`, all.
  public var region: Box?
  /// A detector that replaces the built-in localizer.
  public var detector: ModelFile?
  /// What the detector's outputs mean. Default: `nil`, recognized from its file.
  public var detectorHead: DetectorHead?
  /// The share of the union of two boxes, 0...1, above which the detector's lower-scoring one is
  /// dropped. Default: `nil`, that of its family.
  public var overlap: Float?
  /// The widths and heights of the anchors of ``DetectorHead/grid`` in pixels of the detector's input,
  /// from the finest grid to the coarsest. Default: `nil`, for other heads.
  public var anchors: [Float]?
  /// Whether the first channel of the detector's input is blue. Default: `false`, as the family does.
  public var isBGR = false
  /// The names of the classes of the custom classifier, or else of the detector.
  package var names: [String]?
  /// The pixel normalization of the custom classifier, or else of the detector.
  package var normalization: PixelNormalization?
  /// How objects are labeled. Default: `nil`, not at all.
  public var labels: LabelConfiguration?
  /// The labels of reported objects. Default: all.
  ///
  /// An object is reported if its label, its category, its best everyday name or that name's hypernym
  /// is allowed, or if none of them is denied; a custom classifier only returns such labels. A name
  /// that is unknown is the error `VisionError.unsuitable`. Objects of a stream have no labels of a
  /// classifier, and so no allowed ones, in their first frames.
  public var filter = LabelFilter.none
  /// When the objects of a stream start, continue and end.
  public var tracking = TrackingParameters()
  /// How files are decoded.
  public var decoding = DecodingConfiguration()

  /// The number of objects that `multiple` requests, as in ML Kit.
  public static let severalLimit = 5

  /// The defaults.
  public init() {}

  /// The defaults, except for these properties.
  public init(
    isStream: Bool = false, limit: Int = 1, minimumScore: Float? = nil, detector: ModelFile? = nil,
    labels: LabelConfiguration? = nil
  ) {
    (self.isStream, self.limit, self.minimumScore) = (isStream, limit, minimumScore)
    (self.detector, self.labels) = (detector, labels)
  }

  /// The name of the detector's head that is recognized.
  package static let automatic = "automatic"

  /// The options of labels, which exist from now on.
  fileprivate var label: LabelConfiguration {
    get { labels ?? LabelConfiguration() }
    set { labels = newValue }
  }
}

extension ObjectConfiguration: DecodingConfigured {
  package static let members: [ConfigurationMember<ObjectConfiguration>] =
    [
      // Says that this is no configuration of faces.
      .flag("faces", { _ in false }) { _, _ in },
      .flag("stream", { $0.isStream }) { $0.isStream = $1 },
      .flag("multiple", { _ in false }) { if $1 { $0.limit = severalLimit } },
      .count("maxObjects", { $0.limit }) { $0.limit = $1 },
      .share("minScore", { $0.minimumScore }) { $0.minimumScore = $1 },
      .flag("allBoxes", { $0.reportsAll && $0.limit > 1 }) { $0.reportsAll = $1 },
      .numbers("region", { $0.region.map { [$0.x, $0.y, $0.width, $0.height] } }) {
        (configuration, numbers) throws(JSONError) in
        guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else {
          throw .mismatch(path: "region", expected: "[x, y, width, height] with sides above zero")
        }
        configuration.region = Box(
          x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
      },
      .flag(
        "classify", { $0.labels.map { $0.classifier == nil && !$0.hasFineLabels } ?? false }
      ) { if $1 { $0.labels = $0.label } },
      .flag("fineLabels", { $0.label.hasFineLabels }) { if $1 { $0.label.hasFineLabels = true } },
      .share("threshold", { $0.label.threshold }) { $0.label.threshold = $1 },
      .count("maxLabels", { $0.label.maximumCount }) { $0.label.maximumCount = $1 },
      .words("labels", { $0.names }) { $0.names = $1 },
      .words("allowLabels", { $0.filter.allowed }) { $0.filter = .allow(Set($1)) },
      .words("denyLabels", { $0.filter.denied }) {
        (configuration, names) throws(JSONError) in
        if configuration.filter.allowed != nil {
          throw .mismatch(path: "denyLabels", expected: "option beside allowLabels")
        }
        configuration.filter = .deny(Set(names))
      },
      .flag("dropBackground", { $0.label.dropsBackground }) {
        if $1 { $0.label.dropsBackground = true }
      },
      // Both are read and checked together: `init(_:)`.
      .numbers("mean", { $0.normalization?.mean.elements }) { _, _ in },
      .numbers("std", { $0.normalization?.deviation.elements }) { _, _ in },
      .choice(
        "detectorHead", of: [automatic] + DetectorHead.allCases.map { $0.rawValue },
        { $0.detectorHead?.rawValue ?? automatic }
      ) { (configuration, name) throws(JSONError) in
        configuration.detectorHead = DetectorHead(rawValue: name)
      },
      .share("overlap", { $0.overlap }) { $0.overlap = $1 },
      .numbers("anchors", { $0.anchors }) { (configuration, numbers) throws(JSONError) in
        guard !numbers.isEmpty, numbers.count.isMultiple(of: 2),
          numbers.allSatisfy({ $0 > 0 && $0.isFinite })
        else {
          throw .mismatch(path: "anchors", expected: "list of widths and heights above zero")
        }
        configuration.anchors = numbers
      },
      .flag("bgr", { $0.isBGR }) { $0.isBGR = $1 },
      .count("detectEvery", { $0.tracking.detectionInterval }) {
        $0.tracking.detectionInterval = $1
      },
      .count("keepLost", from: 0, { $0.tracking.lostFrameCount }) {
        $0.tracking.lostFrameCount = $1
      },
    ] + decodingMembers

  /// Reads the configuration from a JSON object.
  package init(_ reader: JSONReader) throws(JSONError) {
    self.init()
    try read(reader)
    let means: [Float]? = try reader.optional("mean")
    let deviations: [Float]? = try reader.optional("std")
    guard means != nil || deviations != nil else { return }
    guard let means, let deviations else { throw .missing(path: means == nil ? "mean" : "std") }
    do throws(ImageError) {
      normalization = try PixelNormalization(mean: means, deviation: deviations)
    } catch {
      throw .mismatch(
        path: "std", expected: "list of numbers other than zero, as many as of mean")
    }
  }
}

extension LabelFilter {
  /// The allowed labels, sorted; `nil` if some are denied.
  fileprivate var allowed: [String]? {
    if case .allow(let names) = self { names.sorted() } else { nil }
  }
  /// The denied labels, sorted; `nil` if there are none.
  fileprivate var denied: [String]? {
    if case .deny(let names) = self, !names.isEmpty { names.sorted() } else { nil }
  }
}

extension SIMD3<Float> {
  /// One number if all are equal.
  fileprivate var elements: [Float] { x == y && y == z ? [x] : [x, y, z] }
}

// MARK: - Networks

extension ObjectConfiguration {
  /// The fewest pixels of a side to which files are decoded; `nil` for all pixels.
  package var minimumSide: Int? {
    decoding.isFullResolution || region != nil ? nil : ImageFile.detectionSide
  }
}

extension ObjectConfiguration {
  /// The options of labels; a custom classifier with the names and the normalization.
  package var classifierLabels: LabelConfiguration? {
    guard var labels, let classifier = labels.classifier else { return labels }
    labels.classifier = overriding(classifier)
    return labels
  }

  /// The detector; with the names and the normalization unless there is a custom classifier.
  var detectorFile: ModelFile? {
    labels?.classifier == nil ? detector.map(overriding) : detector
  }

  private func overriding(_ file: ModelFile) -> ModelFile {
    ModelFile(
      file.bytes, labels: names ?? file.labels,
      normalization: normalization ?? file.normalization)
  }
}

extension LabelConfiguration {
  /// The classifier; a custom one with the filter.
  ///
  /// - Throws: `VisionError` if its network cannot be prepared.
  package func makeClassifier(
    _ filter: LabelFilter, execution: Interpreter.Options, lock: Lock
  ) throws(VisionError) -> Classifier {
    guard let classifier else {
      return try Classifier(
        threshold: threshold,
        fineLabeler: hasFineLabels ? FineLabeler(options: execution, lock: lock) : nil,
        options: execution, lock: lock)
    }
    return try Classifier(
      classifier, threshold: threshold, maximumLabelCount: maximumCount,
      dropsBackground: dropsBackground, filter: filter, options: execution, lock: lock)
  }
}
