//===--- FaceDetector.swift - faces in images and streams -----------------===//
//
// Three calls: `results(in:)` on the calling thread, `process` with a callback, `faces(in:)` in a
// task.
//
// Contract  May be used from any number of tasks at once: networks are shared, the memory to run
//           them is not. If faces are tracked, images are processed one after another; those of
//           `process` and of `faces(in:)` in the order of the calls. Places of faces are in the
//           stored image.
// Cost      The networks that the options need are prepared at the first image, or by `prepare()`.
// Checked   Tests/MartletTests/FaceDetectorTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
import MartletVision
import Synchronization

/// The completion handler, called on the main thread with faces, or with `nil` and an error.
public typealias FaceDetectionCallback = @MainActor @Sendable ([Face]?, (any Error)?) -> Void

/// Detects faces in images.
///
/// ```swift
/// let options = FaceDetectorOptions()
/// options.performanceMode = .accurate
/// options.landmarkMode = .all
/// options.classificationMode = .all
/// let detector = FaceDetector.faceDetector(options: options)
///
/// for face in try await detector.faces(in: VisionImage(contentsOfFile: "a.jpg")) {
///   print(face.frame, face.smile ?? "unknown")
///   print(face.landmark(ofType: .leftEye)?.position ?? "hidden")
/// }
/// ```
///
/// Faces are tracked by position and motion; people are not identified.
public final class FaceDetector: Sendable {
  private let calls: DetectorCalls<Face>

  /// A detector with a copy of these options. `models` returns the networks when they are prepared.
  convenience init(
    options: FaceDetectorOptions, models: @escaping @Sendable () -> FaceModels
  ) {
    self.init(options.values, models: models)
  }

  /// A detector with these settings. `models` returns the networks when they are prepared.
  init(_ settings: FaceDetectorSettings, models: @escaping @Sendable () -> FaceModels) {
    calls = DetectorCalls(
      isStream: settings.finderOptions.tracking, refusesMainThread: settings.refusesMainThread
    ) { () throws(VisionError) in
      try FaceDetector.makeDetect(settings, models())
    }
  }

  /// The networks with the settings of the options.
  private static func makeDetect(
    _ settings: FaceDetectorSettings, _ models: FaceModels
  ) throws(VisionError) -> DetectorCalls<Face>.Prepared {
    let finderOptions = settings.finderOptions
    let finder = try FaceFinder(
      models, finderOptions: finderOptions, options: settings.interpreter.stoppingWithCall)
    guard finderOptions.tracking else {
      return .init(trim: { finder.trim() }) { (input) throws(VisionError) in
        let image = input.detectionImage
        let faces = image.full(try finder.faces(in: image.pixels))
        return finderOptions.reported(of: faces).map { Face($0, in: input) }
      }
    }
    var options = FaceStream.Options()
    options.tracks.isSmoothing = settings.smooths
    let stream = Mutex(FaceStream(finder, options: options))
    return .init(trim: { finder.trim() }) { (input) throws(VisionError) in
      let image = input.detectionImage
      let faces = try stream.withLock { stream throws(VisionError) in
        try stream.faces(in: image.pixels, orientation: input.imageOrientation)
      }
      return finderOptions.reported(of: image.full(faces)).map { Face($0, in: input) }
    }
  }

  /// A detector with default options: fast, with Euler angles, without landmarks, contours and
  /// classes.
  public static func faceDetector() -> FaceDetector { faceDetector(options: FaceDetectorOptions()) }

  /// A detector with a copy of these options.
  ///
  /// Networks are prepared at the first image. If that fails, the call throws the error, and the
  /// next call tries again.
  public static func faceDetector(options: FaceDetectorOptions) -> FaceDetector {
    let isAccurate = options.values.finderOptions.isAccurate
    return FaceDetector(options: options) { FaceModels.shipped(isAccurate: isAccurate) }
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

extension FaceDetector {
  /// Detects the faces in an image on the calling thread. They are sorted by decreasing salience;
  /// the array is empty if none is detected.
  ///
  /// On the main thread it blocks, or throws if the options set `shouldThrowOnMainThread`; ML Kit
  /// raises an exception.
  ///
  /// - Throws: `VisionError`.
  public func results(in image: some MLKitCompatibleImage) throws(VisionError) -> [Face] {
    try calls.results(in: image)
  }

  /// Detects the faces in an image and calls `completion` on the main thread.
  ///
  /// The main thread must run its run loop, as in an app or a program with an asynchronous `main`.
  /// Otherwise use a queue, or `faces(in:)`.
  ///
  /// Returns immediately. Waiting frames of a stream take at most 64 MiB; beyond that, the oldest
  /// are dropped with `VisionError.frameDropped`. If faces are not tracked, waiting images take at
  /// most 256 MiB; beyond that, an image is refused with `VisionError.tooManyImages`. `faces(in:)`
  /// waits instead.
  public func process(
    _ image: some MLKitCompatibleImage, completion: @escaping FaceDetectionCallback
  ) {
    calls.detect(image) { result in
      Task { @MainActor in result.deliver(completion) }
    }
  }

  /// Detects the faces in an image and calls `completion` on `callbackQueue`. Beyond ML Kit.
  public func process(
    _ image: some MLKitCompatibleImage, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable ([Face]?, (any Error)?) -> Void
  ) {
    calls.detect(image) { result in
      callbackQueue.async { result.deliver(completion) }
    }
  }

  /// Detects the faces in an image, sorted by decreasing salience. Beyond ML Kit.
  ///
  /// - Throws: `VisionError`; `.cancelled` if the task is canceled.
  public func faces(in image: some MLKitCompatibleImage) async throws(VisionError) -> [Face] {
    try await calls.found(in: image)
  }

  /// Detects or tracks the faces in a sequence of frames. Beyond ML Kit.
  ///
  /// ```swift
  /// for try await result in FaceDetector.faceDetector().results(over: frames) {
  ///   for face in result.faces { print(face.frame) }
  /// }
  /// ```
  public func results<Frames: AsyncSequence>(
    over frames: Frames
  ) -> DetectionResults<Frames, Face> where Frames.Element: MLKitCompatibleImage {
    DetectionResults(calls: calls, frames: frames)
  }
}
