//===--- ObjectDetector.swift - object detection and tracking -------------===//
//
// Three calls: `results(in:)` on the calling thread, `process` with a callback, `objects(in:)` in a
// task.
//
// Contract  May be used from any number of tasks at once: networks are shared, the memory to run
//           them is not. In `.stream` mode frames are processed one after another; those of
//           `process` and `objects(in:)` and their callbacks in the order of the calls. Frames of
//           objects are in the stored image.
// Cost      Networks are prepared at the first image, or by `prepare()`. Each task that runs at the
//           same time needs an arena.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift, ObjectDetectorCallsTests.swift
//===----------------------------------------------------------------------===//

public import Foundation

/// The completion handler, called on the main thread with objects, or with `nil` and an error.
public typealias ObjectDetectionCallback = @MainActor @Sendable ([Object]?, (any Error)?) -> Void

/// Detects objects in images or tracks them in streams, and classifies them.
///
/// ```swift
/// let options = ObjectDetectorOptions()
/// options.detectorMode = .singleImage
/// options.shouldEnableMultipleObjects = true
/// options.shouldEnableClassification = true
/// let detector = ObjectDetector.objectDetector(options: options)
///
/// for object in try await detector.objects(in: VisionImage(contentsOfFile: "a.jpg")) {
///   print(object.frame, object.labels.first?.text ?? "unknown")
/// }
/// ```
public final class ObjectDetector: Sendable {
  private let calls: DetectorCalls<Object>

  init(_ settings: DetectorSettings) {
    calls = DetectorCalls(
      isStream: settings.mode == .stream, refusesMainThread: settings.refusesMainThread
    ) { () throws(VisionError) in
      try ObjectDetector.makeDetect(settings, nil)
    }
  }

  /// The networks with the settings of the options.
  private static func makeDetect(
    _ settings: DetectorSettings, _ classifier: Classifier?
  ) throws(VisionError) -> DetectorCalls<Object>.Prepared {
    let detector = try PreparedDetector(settings, classifier: classifier)
    return .init(trim: { detector.trim() }) { (image) throws(VisionError) in
      try detector.objects(in: image).map { Object($0, in: image) }
    }
  }

  /// A detector with a copy of these options.
  ///
  /// Networks are prepared at the first image. If that fails, the call throws the error, and the
  /// next call tries again.
  public static func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector {
    ObjectDetector(options.values)
  }

  /// A detector with these options and prepared networks. If objects are classified, `classifier`
  /// replaces the one of the options.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public convenience init(
    options: CommonObjectDetectorOptions, classifier: Classifier? = nil
  ) throws(VisionError) {
    let settings = options.values
    self.init(settings)
    try calls.prepare { () throws(VisionError) in
      try ObjectDetector.makeDetect(settings, classifier)
    }
  }

  /// Prepares the networks, so that the first image takes no longer than the others.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public func prepare() throws(VisionError) { try calls.prepare() }

  /// Frees the memory that no running call uses, for example when the system warns of low memory.
  /// The next call allocates it again. Networks stay prepared, and a stream goes on. Beyond ML Kit.
  public func trim() { calls.trim() }
}

// MARK: - Calls

extension ObjectDetector {
  /// Detects the objects in an image on the calling thread. They are sorted by decreasing salience;
  /// the array is empty if none is detected.
  ///
  /// On the main thread it blocks, or throws if the options set `shouldThrowOnMainThread`; ML Kit
  /// raises an exception.
  ///
  /// - Throws: `VisionError`.
  public func results(in image: some MLKitCompatibleImage) throws(VisionError) -> [Object] {
    try calls.results(in: image)
  }

  /// Detects the objects in an image and calls `completion` on the main thread.
  ///
  /// The main thread must run its run loop, as in an app or a program with an asynchronous `main`.
  /// Otherwise use a queue, or `objects(in:)`.
  ///
  /// Returns immediately. Waiting frames of a stream take at most 64 MiB; beyond that, the oldest
  /// are dropped with `VisionError.frameDropped`. Waiting images of `.singleImage` mode take at most
  /// 256 MiB; beyond that, an image is refused with `VisionError.tooManyImages`. `objects(in:)` waits
  /// instead.
  public func process(
    _ image: some MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback
  ) {
    calls.detect(image) { result in
      Task { @MainActor in result.deliver(completion) }
    }
  }

  /// Detects the objects in an image and calls `completion` on `callbackQueue`. Beyond ML Kit.
  public func process(
    _ image: some MLKitCompatibleImage, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable ([Object]?, (any Error)?) -> Void
  ) {
    calls.detect(image) { result in
      callbackQueue.async { result.deliver(completion) }
    }
  }

  /// Detects the objects in an image, sorted by decreasing salience. Beyond ML Kit.
  ///
  /// - Throws: `VisionError`; `.cancelled` if the task is canceled.
  public func objects(
    in image: some MLKitCompatibleImage
  ) async throws(VisionError) -> [Object] {
    try await calls.found(in: image)
  }

  /// Detects or tracks the objects in a sequence of frames. Beyond ML Kit.
  ///
  /// ```swift
  /// for try await result in detector.results(over: frames) {
  ///   draw(result.objects, on: result.frame)
  /// }
  /// ```
  public func results<Frames: AsyncSequence>(
    over frames: Frames
  ) -> DetectionResults<Frames, Object> where Frames.Element: MLKitCompatibleImage {
    DetectionResults(calls: calls, frames: frames)
  }
}
