//===--- ObjectDetectorOptions.swift - options of object detection --------===//
//
// ML Kit's options and defaults: a stream, one object, no classification. Options that ML Kit lacks
// are marked.
//
// Contract  A detector reads its options when it is made. Options may be used from several tasks.
//===----------------------------------------------------------------------===//

public import Foundation
import MartletBase
public import MartletVision

/// The options that all object detectors share; create one of the subclasses.
///
/// Unchecked because the compiler cannot check a class with subclasses. All mutable state is in the
/// mutex.
public class CommonObjectDetectorOptions: @unchecked Sendable {
  private let state: Mutex<ObjectOptionValues>

  init(classifier: LocalModel?) { state = Mutex(ObjectOptionValues(classifier: classifier)) }

  /// The current values.
  final var values: ObjectOptionValues { state.withLock { $0 } }

  final subscript<Value: Sendable>(
    _ path: any WritableKeyPath<ObjectOptionValues, Value> & Sendable
  ) -> Value {
    get { state.withLock { $0[keyPath: path] } }
    set { state.withLock { $0[keyPath: path] = newValue } }
  }

  /// Whether images are independent or frames of a stream. Default: `.stream`.
  public final var detectorMode: ObjectDetectorMode {
    get { self[\.configuration.isStream] ? .stream : .singleImage }
    set { self[\.configuration.isStream] = newValue == .stream }
  }

  /// Whether several objects are detected, or only the most prominent one. Default: `false`.
  public final var shouldEnableMultipleObjects: Bool {
    get { self[\.findsSeveral] }
    set { self[\.findsSeveral] = newValue }
  }

  /// Whether objects are classified. Default: `false`. A custom classifier is used only if this is
  /// `true`.
  public final var shouldEnableClassification: Bool {
    get { self[\.classifies] }
    set { self[\.classifies] = newValue }
  }
}

// MARK: - Beyond ML Kit

extension CommonObjectDetectorOptions {
  /// The largest number of objects that ML Kit returns.
  public static let defaultMaximumObjectCount = ObjectConfiguration.severalLimit

  /// The labels of returned objects, by name. Default: all. Needs classification or a custom
  /// detector; a name that the models lack is the error `VisionError.unsuitable`. See
  /// `ObjectConfiguration.filter`.
  public final var labelFilter: LabelFilter {
    get { self[\.configuration.filter] }
    set { self[\.configuration.filter] = newValue }
  }

  /// The largest number of objects if several are detected. Default: 5, also for numbers below 1.
  /// ML Kit returns at most 5.
  public final var maximumObjectCount: Int {
    get { self[\.maximumObjectCount] }
    set { self[\.maximumObjectCount] = newValue }
  }

  /// The lowest score of a detected object, 0...1. Default: `nil`, the detector's own. ML Kit has no
  /// such threshold and returns boxes of empty scenes too, as 0 does here.
  ///
  /// No object below it is returned, neither of a still image nor of a frame of a stream, and a
  /// higher one never returns more objects. By default a single object of a still image is returned
  /// from 0.03 on, and several from 0.25 on; ``ObjectStream`` documents the default for streams. In a
  /// stream, objects that score less are tracked, and keep their identifiers until their scores are
  /// high enough. 0 returns every tracked object in sight.
  ///
  /// If several objects of a still image are requested, boxes that lie in a better one and boxes
  /// below 0.5 that cover three quarters of the image are dropped at every minimum score, unless
  /// ``reportsAllBoxes`` is set. If there
  /// are more objects than requested, the most salient one and the best-scoring others are returned.
  ///
  /// A score approximates the share of boxes with this score that hold an object. On the validation
  /// images, recall is 0.81 with a minimum of 0.03, and 0.73 with 0.25.
  public final var minimumObjectScore: Float? {
    get { self[\.configuration.minimumScore] }
    set { self[\.configuration.minimumScore] = newValue }
  }

  /// Whether parts of better boxes and doubtful boxes of the whole image are returned, too, for
  /// programs that filter by themselves. Default: `false`. Has no effect on a single object, on
  /// streams and on custom detectors.
  public final var reportsAllBoxes: Bool {
    get { self[\.configuration.reportsAll] }
    set { self[\.configuration.reportsAll] = newValue }
  }

  /// A custom detector that replaces the built-in one, with outputs of a form of ``DetectorHead``.
  /// Default: `nil`. ML Kit takes only classifiers.
  ///
  /// Without classification, objects have the label of the detector. If `minimumObjectScore` is
  /// `nil`, the threshold of the model's metadata applies, or that of its family, 0.25 to 0.5.
  public final var detectorModel: LocalModel? {
    get { self[\.detector] }
    set { self[\.detector] = newValue }
  }

  /// What the outputs of `detectorModel` mean. Default: `nil`, recognized from its file.
  public final var detectorHead: DetectorHead? {
    get { self[\.configuration.detectorHead] }
    set { self[\.configuration.detectorHead] = newValue }
  }

  /// The share of the union of two boxes, 0...1, above which the lower-scoring one of
  /// `detectorModel` is dropped. Default: `nil`, that of its family.
  public final var detectorOverlap: Float? {
    get { self[\.configuration.overlap] }
    set { self[\.configuration.overlap] = newValue }
  }

  /// The widths and heights of the anchors of `detectorModel` in pixels of its input, from the finest
  /// grid to the coarsest, if its head is `grid`. Default: `nil`.
  public final var detectorAnchors: [Float]? {
    get { self[\.configuration.anchors] }
    set { self[\.configuration.anchors] = newValue }
  }

  /// Whether the first channel of the input of `detectorModel` is blue. Default: `false`, as its
  /// family does.
  public final var detectorIsBGR: Bool {
    get { self[\.configuration.isBGR] }
    set { self[\.configuration.isBGR] = newValue }
  }

  /// The part of each image to process, in pixels of the upright image. Default: `nil`, the whole
  /// image. The region is clipped to the image; a region outside of it is `VisionError.image`.
  ///
  /// The part is processed like a separate image: an object that leaves it is lost. Boxes are in
  /// pixels of the whole image.
  public final var regionOfInterest: CGRect? {
    get { self[\.configuration.region].map { CGRect($0) } }
    set { self[\.configuration.region] = newValue.map { Box($0) } }
  }

  /// Whether `results(in:)` throws `VisionError.calledOnMainThread` on the main thread. Default:
  /// `false`, the call blocks the main thread. In ML Kit it raises an exception.
  public final var shouldThrowOnMainThread: Bool {
    get { self[\.refusesMainThread] }
    set { self[\.refusesMainThread] = newValue }
  }

  /// The kernels, workers and limits of the networks. Default: `Workers.pool`, all
  /// processors; `Workers.serial` is one thread. The workers do not change the results.
  public final var interpreterOptions: Interpreter.Options {
    get { self[\.execution] }
    set { self[\.execution] = newValue }
  }
}

// MARK: - Beyond ML Kit, in streams

extension CommonObjectDetectorOptions {
  /// When the objects of a stream start, continue and end; how often they are detected. Default:
  /// detection in every frame; a lost object keeps its identifier for 30 frames.
  public final var tracking: TrackingParameters {
    get { self[\.configuration.tracking] }
    set { self[\.configuration.tracking] = newValue }
  }
}

/// Options of a detector with the coarse classifier: fashion, home goods, food, places, plants.
public final class ObjectDetectorOptions: CommonObjectDetectorOptions, @unchecked Sendable {
  /// A stream, the most prominent object, no classification.
  public init() { super.init(classifier: nil) }

  /// Whether classified objects also have everyday names, in `Object.fineLabels`: some of 552, such as
  /// person, dog or banana, or a hypernym such as fruit. Default: `false`. Used only if
  /// `shouldEnableClassification` is `true`. Beyond ML Kit.
  public var shouldEnableFineLabels: Bool {
    get { self[\.labels.hasFineLabels] }
    set { self[\.labels.hasFineLabels] = newValue }
  }
}
