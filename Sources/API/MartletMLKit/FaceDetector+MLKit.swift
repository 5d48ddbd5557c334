//===--- FaceDetector+MLKit.swift - face detection by ML Kit's names ------===//
//
// Contract  Images of `process` and their callbacks are in the order of the calls if faces are tracked.
//===----------------------------------------------------------------------===//

public import Foundation
import MartletVision

/// The completion handler, called on the main thread with faces, or with `nil` and an error.
public typealias FaceDetectionCallback = @MainActor @Sendable ([Face]?, (any Error)?) -> Void

extension FaceDetector {
  /// A detector with default options: fast, with Euler angles, without landmarks, contours and
  /// classes.
  public static func faceDetector() -> FaceDetector { faceDetector(options: FaceDetectorOptions()) }

  /// A detector with a copy of these options.
  ///
  /// Networks are prepared at the first image. If that fails, the call throws the error, and the
  /// next call tries again.
  public static func faceDetector(options: FaceDetectorOptions) -> FaceDetector {
    FaceDetector(options: options, models: nil)
  }

  /// A detector with a copy of these options; `models` returns the networks that replace the shipped
  /// ones.
  convenience init(
    options: FaceDetectorOptions, models: (@Sendable () -> FaceModels)?
  ) {
    let values = options.values
    self.init(
      lazily: values.configuration, refusesMainThread: values.refusesMainThread,
      execution: values.execution, models: models)
  }

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
}
