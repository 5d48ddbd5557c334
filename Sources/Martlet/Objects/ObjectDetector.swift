//===--- ObjectDetector.swift - the detector that people call -------------===//
//
// One detector, asked in three ways: `results(in:)` on the caller's thread, `process` with a callback,
// `objects(in:)` in a task.
//
// Contract  May be used from any number of tasks at once: networks are shared, the memory to run them
//           is not. In `.stream` mode frames are looked at one after another, those of `process` and
//           of `objects(in:)` in the order of the calls, as are their callbacks. Frames of objects
//           lie in the image as given.
// Cost      Networks are prepared at the first image, or by `prepare()`; tasks at work at the same
//           time take an arena each.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift, ObjectDetectorCallsTests.swift
//===----------------------------------------------------------------------===//

public import Foundation

/// What a detector calls when it is done, on the main thread: objects, or `nil` and an error.
public typealias ObjectDetectionCallback = @MainActor @Sendable ([Object]?, (any Error)?) -> Void

/// Finds objects in images and tells what they are.
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

  private init(_ settings: DetectorSettings) {
    calls = DetectorCalls(
      isStream: settings.mode == .stream, refusesMainThread: settings.refusesMainThread
    ) { () throws(VisionError) in
      try ObjectDetector.look(settings, nil)
    }
  }

  /// What looks for objects as the settings say.
  private static func look(
    _ settings: DetectorSettings, _ classifier: Classifier?
  ) throws(VisionError) -> DetectorCalls<Object>.Look {
    let detector = try PreparedDetector(settings, classifier: classifier)
    return { (image) throws(VisionError) in
      try detector.objects(in: image).map { Object($0, in: image) }
    }
  }

  /// A detector with these options, of which it takes a copy.
  ///
  /// Networks are prepared when the first image comes. What goes wrong then is the error of that
  /// call, and of each later one until it goes right.
  public static func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector {
    ObjectDetector(options.values)
  }

  /// A detector with these options whose networks are ready. Where objects are classified,
  /// `classifier` names them in place of the options' own.
  ///
  /// - Throws: `VisionError` where a network can't be prepared.
  public convenience init(
    options: CommonObjectDetectorOptions, classifier: Classifier? = nil
  ) throws(VisionError) {
    let settings = options.values
    self.init(settings)
    try calls.prepare { () throws(VisionError) in try ObjectDetector.look(settings, classifier) }
  }

  /// Makes networks ready, so that the first image takes no longer than others.
  ///
  /// - Throws: `VisionError` where a network can't be prepared.
  public func prepare() throws(VisionError) { try calls.prepare() }
}

// MARK: - Calls

extension ObjectDetector {
  /// The objects in an image, found on the calling thread, by decreasing salience; none is no error.
  ///
  /// On the main thread it blocks until it is done, unless the options'
  /// `shouldThrowOnMainThread` makes that an error; ML Kit raises an exception there.
  ///
  /// - Throws: `VisionError`.
  public func results(in image: some MLKitCompatibleImage) throws(VisionError) -> [Object] {
    try calls.results(in: image)
  }

  /// Finds the objects in an image and calls `completion` on the main thread.
  ///
  /// The main thread must be running its loop: an app's does, as does that of a program with an
  /// asynchronous `main`. Elsewhere choose a queue, or `objects(in:)`.
  ///
  /// It returns at once. Frames of a stream that wait take at most 64 MiB: the oldest of them are
  /// dropped for a newer one, with `VisionError.frameDropped`. `objects(in:)` waits instead.
  public func process(
    _ image: some MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback
  ) {
    calls.detect(image) { result in
      Task { @MainActor in result.deliver(completion) }
    }
  }

  /// Finds the objects in an image and calls `completion` on `callbackQueue`. Beyond ML Kit.
  public func process(
    _ image: some MLKitCompatibleImage, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable ([Object]?, (any Error)?) -> Void
  ) {
    calls.detect(image) { result in
      callbackQueue.async { result.deliver(completion) }
    }
  }

  /// The objects in an image, by decreasing salience; none is no error. Beyond ML Kit.
  ///
  /// - Throws: `VisionError`, which is `.cancelled` where the task was cancelled before.
  public func objects(
    in image: some MLKitCompatibleImage
  ) async throws(VisionError) -> [Object] {
    try await calls.found(in: image)
  }

  /// The objects in each of a sequence of frames. Beyond ML Kit.
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
