//===--- Vision.swift - Firebase's detector factory -----------------------===//
//
// Firebase ML Vision, ML Kit's first generation, with its names: a thin layer over the current API.
//
// Contract  One instance for all apps; no Firebase project is needed.
//===----------------------------------------------------------------------===//

/// Creates detectors, as in Firebase ML Vision.
public final class Vision: Sendable {
  private static let shared = Vision()

  private init() {}

  /// The shared instance.
  public static func vision() -> Vision { shared }

  /// The shared instance. `app` is ignored.
  public static func vision(app: AnyObject) -> Vision { shared }

  /// Always `false`: no statistics are collected. Setting it has no effect.
  public var isStatsCollectionEnabled: Bool {
    get { false }
    set {}
  }

  /// A detector with default options: a stream, the most prominent object, no classification.
  public func objectDetector() -> VisionObjectDetector {
    objectDetector(options: VisionObjectDetectorOptions())
  }

  /// A detector with a copy of these options.
  public func objectDetector(options: VisionObjectDetectorOptions) -> VisionObjectDetector {
    VisionObjectDetector(ObjectDetector.objectDetector(options: options))
  }

  /// A detector with default options: fast, with Euler angles, without landmarks, contours and
  /// classes.
  public func faceDetector() -> VisionFaceDetector {
    faceDetector(options: VisionFaceDetectorOptions())
  }

  /// A detector with a copy of these options.
  public func faceDetector(options: VisionFaceDetectorOptions) -> VisionFaceDetector {
    VisionFaceDetector(FaceDetector.faceDetector(options: options))
  }
}
