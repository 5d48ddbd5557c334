//===--- VisionFaceDetector.swift - Firebase's face detector --------------===//

/// The completion handler, called on the main thread with faces, or with `nil` and an error.
public typealias VisionFaceDetectionCallback =
  @MainActor @Sendable ([VisionFace]?, (any Error)?) -> Void

/// Detects faces in images, as in Firebase ML Vision.
public final class VisionFaceDetector: Sendable {
  private let detector: FaceDetector

  init(_ detector: FaceDetector) { self.detector = detector }

  /// Detects the faces in an image and calls `completion` on the main thread.
  public func process(_ image: VisionImage, completion: @escaping VisionFaceDetectionCallback) {
    detector.process(image) { faces, error in
      completion(faces?.map(VisionFace.init), error)
    }
  }

  /// The oldest name of `process`.
  @available(*, deprecated, renamed: "process(_:completion:)")
  public func detect(in image: VisionImage, completion: @escaping VisionFaceDetectionCallback) {
    process(image, completion: completion)
  }

  /// Detects the faces in an image on the calling thread; see `FaceDetector.results(in:)`.
  ///
  /// - Throws: `VisionError`.
  public func results(in image: VisionImage) throws(VisionError) -> [VisionFace] {
    try detector.results(in: image).map(VisionFace.init)
  }
}
