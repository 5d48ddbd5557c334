//===--- ObjectDetectorOptions.swift - what a detector looks for ----------===//
//
// ML Kit's options, with its defaults: a stream, one object, no classification. What ML Kit does not
// have says so.
//
// Contract  A detector reads its options when it is made. Options may be used from several tasks.
// Checked   Tests/MartletTests/ObjectDetectorOptionsTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
import MartletVision
import Synchronization

/// What is common to the options of all object detectors; make one of its subclasses.
///
/// Unchecked because a class that has subclasses can't be checked: all that changes is in the mutex.
public class CommonObjectDetectorOptions: @unchecked Sendable {
  private let settings: Mutex<DetectorSettings>

  init(_ classifier: DetectorSettings.ClassifierSource) {
    settings = Mutex(DetectorSettings(classifier: classifier))
  }

  /// The values at this moment.
  final var values: DetectorSettings { settings.withLock { $0 } }

  final subscript<Value: Sendable>(
    _ path: any WritableKeyPath<DetectorSettings, Value> & Sendable
  ) -> Value {
    get { settings.withLock { $0[keyPath: path] } }
    set { settings.withLock { $0[keyPath: path] = newValue } }
  }

  /// Whether images are the frames of a stream; `.stream` unless set.
  public final var detectorMode: ObjectDetectorMode {
    get { self[\.mode] }
    set { self[\.mode] = newValue }
  }

  /// Whether several objects are found, or the most prominent one alone; `false` unless set.
  public final var shouldEnableMultipleObjects: Bool {
    get { self[\.findsSeveral] }
    set { self[\.findsSeveral] = newValue }
  }

  /// Whether objects are classified; `false` unless set. A classifier of your own is used only where
  /// this is `true`.
  public final var shouldEnableClassification: Bool {
    get { self[\.classifies] }
    set { self[\.classifies] = newValue }
  }
}

// MARK: - Beyond ML Kit

extension CommonObjectDetectorOptions {
  /// The number of objects that ML Kit stops at.
  public static let defaultMaximumObjectCount = 5

  /// How many objects are found at most where several are; 5 unless set, and instead of a number
  /// that is not positive. ML Kit finds 5 at most.
  public final var maximumObjectCount: Int {
    get { self[\.maximumObjectCount] }
    set { self[\.maximumObjectCount] = newValue }
  }

  /// The score that an object needs at least, 0...1; `nil` unless set, where the localizer's own least score
  /// decides, 0.03 for the shipped one. ML Kit neither gives scores of boxes nor takes a threshold for them,
  /// and finds objects where there is nothing: with 0 so does this.
  ///
  /// A score is about the share of boxes with that score that hold an object. At 0.2 two boxes
  /// in five are left out, and of the objects that are found one in sixteen.
  public final var minimumObjectScore: Float? {
    get { self[\.leastScore] }
    set { self[\.leastScore] = newValue }
  }

  /// A detector of your own that finds objects in place of the shipped one, or `nil` unless set: a
  /// model that ends in `TFLite_Detection_PostProcess`, as those of the SSD family do. ML Kit takes
  /// classifiers alone.
  ///
  /// Objects that are not classified have the label that the detector gives them. Where
  /// `minimumObjectScore` is `nil`, the threshold of the model's metadata decides, or 0.3.
  public final var detectorModel: LocalModel? {
    get { self[\.detector] }
    set { self[\.detector] = newValue }
  }

  /// The part of each image in which objects are looked for, in pixels of the image turned upright,
  /// or `nil` unless set: all of it. What lies beyond the edge does not count; a region without a part in
  /// the image is the error `VisionError.image` of that image.
  ///
  /// In stills and in streams, the part is looked at like an image of its own: an object that leaves it has
  /// left the stream. Boxes are in pixels of the whole image, as without it.
  public final var regionOfInterest: CGRect? {
    get { self[\.region].map { CGRect($0) } }
    set { self[\.region] = newValue.map { Box($0) } }
  }

  /// Whether `results(in:)` throws `VisionError.calledOnMainThread` on the main thread; `false`
  /// unless set: the call then blocks the main thread and returns. In ML Kit it raises an exception.
  public final var shouldThrowOnMainThread: Bool {
    get { self[\.refusesMainThread] }
    set { self[\.refusesMainThread] = newValue }
  }

  /// On which kernels and with how many workers networks run; on the calling thread alone unless set.
  /// No choice changes a result.
  public final var interpreterOptions: Interpreter.Options {
    get { self[\.interpreter] }
    set { self[\.interpreter] = newValue }
  }
}

// MARK: - Beyond ML Kit, in streams

extension CommonObjectDetectorOptions {
  /// Every how many frames of a stream the localizer looks for objects, at least 1; between, those
  /// that are known are followed, and looked at closely, one at a time, twice as often. 5 unless set.
  public final var detectionInterval: Int {
    get { self[\.stream.detectionInterval] }
    set { self[\.stream.detectionInterval] = newValue }
  }

  /// For how many frames of a stream an object that is out of sight is kept, to have its identifier
  /// again when it is back; 15 unless set.
  public final var lostFrameCount: Int {
    get { self[\.stream.lostFrameCount] }
    set { self[\.stream.lostFrameCount] = newValue }
  }

  /// Whether in a stream what moves by itself is an object, whatever the localizer says; `true` unless
  /// set.
  public final var shouldDetectMotion: Bool {
    get { self[\.stream.shouldDetectMotion] }
    set { self[\.stream.shouldDetectMotion] = newValue }
  }
}

/// Options of a detector with the coarse classifier: fashion, home goods, food, places, plants.
public final class ObjectDetectorOptions: CommonObjectDetectorOptions, @unchecked Sendable {
  /// A stream, the most prominent object, no classification.
  public init() { super.init(.coarse) }
}
