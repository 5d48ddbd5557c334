//===--- VisionObjectDetector.swift - the earlier generation's detector ---===//
//
// Checked   Tests/MartletTests/FirebaseTests.swift
//===----------------------------------------------------------------------===//

/// Options of a detector; the same as the later generation's.
public typealias VisionObjectDetectorOptions = ObjectDetectorOptions

/// Whether images are the frames of a stream; the same as the later generation's.
public typealias VisionObjectDetectorMode = ObjectDetectorMode

/// The completion handler, called on the main thread with objects, or with `nil` and an error.
public typealias VisionObjectDetectionCallback =
  @MainActor @Sendable ([VisionObject]?, (any Error)?) -> Void

/// Finds objects in images, as in Firebase ML Vision.
public final class VisionObjectDetector: Sendable {
  private let detector: ObjectDetector

  init(_ detector: ObjectDetector) { self.detector = detector }

  /// Finds the objects in an image and calls `completion` on the main thread.
  public func process(
    _ image: VisionImage, completion: @escaping VisionObjectDetectionCallback
  ) {
    detector.process(image) { objects, error in
      completion(objects?.map(VisionObject.init), error)
    }
  }

  /// The objects in an image, found on the calling thread; see `ObjectDetector.results(in:)`.
  ///
  /// - Throws: `VisionError`.
  public func results(in image: VisionImage) throws(VisionError) -> [VisionObject] {
    try detector.results(in: image).map(VisionObject.init)
  }
}
