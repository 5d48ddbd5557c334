//===--- VisionObjectDetector.swift - Firebase's object detector ----------===//

/// Options of an object detector; the same type as in the current API.
public typealias VisionObjectDetectorOptions = ObjectDetectorOptions

/// Still images or a stream; the same type as in the current API.
public typealias VisionObjectDetectorMode = ObjectDetectorMode

/// The completion handler, called on the main thread with objects, or with `nil` and an error.
public typealias VisionObjectDetectionCallback =
  @MainActor @Sendable ([VisionObject]?, (any Error)?) -> Void

/// Detects objects in images, as in Firebase ML Vision.
public final class VisionObjectDetector: Sendable {
  private let detector: ObjectDetector

  init(_ detector: ObjectDetector) { self.detector = detector }

  /// Detects the objects in an image and calls `completion` on the main thread.
  public func process(
    _ image: VisionImage, completion: @escaping VisionObjectDetectionCallback
  ) {
    detector.process(image) { objects, error in
      completion(objects?.map(VisionObject.init), error)
    }
  }

  /// Detects the objects in an image on the calling thread; see `ObjectDetector.results(in:)`.
  ///
  /// - Throws: `VisionError`.
  public func results(in image: VisionImage) throws(VisionError) -> [VisionObject] {
    try detector.results(in: image).map(VisionObject.init)
  }
}
