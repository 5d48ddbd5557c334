//===--- FaceDetector.swift - faces in images and streams -----------------===//
//
// One detector, asked in three ways: `results(in:)` on the caller's thread, `process` with a callback,
// `faces(in:)` in a task.
//
// Contract  May be used from any number of tasks at once: networks are shared, the memory to run them is not.
//           Where faces are tracked, images are processed one after another, those of `process` and of
//           `faces(in:)` in the order of the calls. Places of faces lie in the stored image.
// Cost      Networks are prepared at the first image, or by `prepare()`, and only those that are requested.
// Checked   Tests/MartletTests/FaceDetectorTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
import MartletFaces
import MartletVision
import Synchronization

/// The completion handler, called on the main thread with faces, or with `nil` and an error.
public typealias FaceDetectionCallback = @MainActor @Sendable ([Face]?, (any Error)?) -> Void

/// Finds faces in images.
///
/// ```swift
/// let options = FaceDetectorOptions()
/// options.performanceMode = .accurate
/// options.landmarkMode = .all
/// options.classificationMode = .all
/// let detector = FaceDetector.faceDetector(options: options)
///
/// for face in try await detector.faces(in: VisionImage(contentsOfFile: "a.jpg")) {
///   print(face.frame, face.smile ?? "unknown", face.landmark(ofType: .leftEye)?.position ?? "hidden")
/// }
/// ```
///
/// Faces are distinguished by place and motion; nobody is recognized.
public final class FaceDetector: Sendable {
  private let calls: DetectorCalls<Face>

  /// A detector with these options, of which it takes a copy, and the networks that `models` gives when they
  /// are prepared.
  init(options: FaceDetectorOptions, models: @escaping @Sendable () -> FaceModels) {
    let settings = options.values
    calls = DetectorCalls(
      isStream: settings.parts.tracking, refusesMainThread: settings.refusesMainThread
    ) { () throws(VisionError) in
      try FaceDetector.look(settings, models())
    }
  }

  /// What detects faces as the settings say.
  private static func look(
    _ settings: FaceDetectorSettings, _ models: FaceModels
  ) throws(VisionError) -> DetectorCalls<Face>.Look {
    let parts = settings.parts
    let finder = try FaceFinder(
      models, parts: parts, options: settings.interpreter.stoppingWithCall)
    guard parts.tracking else {
      return { (image) throws(VisionError) in
        parts.reported(of: try finder.faces(in: image.upright)).map { Face($0, in: image) }
      }
    }
    var options = FaceStream.Options()
    options.tracks.isSmoothing = settings.smooths
    let stream = Mutex(FaceStream(finder, options: options))
    return { (image) throws(VisionError) in
      let faces = try stream.withLock { stream throws(VisionError) in
        try stream.faces(in: image.upright, orientation: image.imageOrientation)
      }
      return parts.reported(of: faces).map { Face($0, in: image) }
    }
  }

  /// A detector with default options: fast, faces and how they are turned alone.
  public static func faceDetector() -> FaceDetector { faceDetector(options: FaceDetectorOptions()) }

  /// A detector with these options, of which it takes a copy.
  ///
  /// Networks are prepared when the first image comes. What goes wrong then is the error of that
  /// call, and of each later one until it goes right.
  public static func faceDetector(options: FaceDetectorOptions) -> FaceDetector {
    let isAccurate = options.values.parts.isAccurate
    return FaceDetector(options: options) { FaceModels.shipped(isAccurate: isAccurate) }
  }

  /// Makes networks ready, so that the first image takes no longer than others.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public func prepare() throws(VisionError) { try calls.prepare() }
}

// MARK: - Calls

extension FaceDetector {
  /// The faces in an image, found on the calling thread, by decreasing salience; none is no error.
  ///
  /// On the main thread it blocks until it is done, unless the options'
  /// `shouldThrowOnMainThread` makes that an error; ML Kit raises an exception there.
  ///
  /// - Throws: `VisionError`.
  public func results(in image: some MLKitCompatibleImage) throws(VisionError) -> [Face] {
    try calls.results(in: image)
  }

  /// Finds the faces in an image and calls `completion` on the main thread.
  ///
  /// The main thread must be running its loop: an app's does, as does that of a program with an
  /// asynchronous `main`. Elsewhere choose a queue, or `faces(in:)`.
  ///
  /// It returns at once. Frames of a stream that wait take at most 64 MiB: the oldest of them are
  /// dropped for a newer one, with `VisionError.frameDropped`. `faces(in:)` waits instead.
  public func process(
    _ image: some MLKitCompatibleImage, completion: @escaping FaceDetectionCallback
  ) {
    calls.detect(image) { result in
      Task { @MainActor in result.deliver(completion) }
    }
  }

  /// Finds the faces in an image and calls `completion` on `callbackQueue`. Beyond ML Kit.
  public func process(
    _ image: some MLKitCompatibleImage, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable ([Face]?, (any Error)?) -> Void
  ) {
    calls.detect(image) { result in
      callbackQueue.async { result.deliver(completion) }
    }
  }

  /// The faces in an image, by decreasing salience; none is no error. Beyond ML Kit.
  ///
  /// - Throws: `VisionError`, which is `.cancelled` where the task was cancelled before.
  public func faces(in image: some MLKitCompatibleImage) async throws(VisionError) -> [Face] {
    try await calls.found(in: image)
  }

  /// The faces in each of a sequence of frames. Beyond ML Kit.
  ///
  /// ```swift
  /// for try await result in detector.results(over: frames) {
  ///   draw(result.faces, on: result.frame)
  /// }
  /// ```
  public func results<Frames: AsyncSequence>(
    over frames: Frames
  ) -> DetectionResults<Frames, Face> where Frames.Element: MLKitCompatibleImage {
    DetectionResults(calls: calls, frames: frames)
  }
}
