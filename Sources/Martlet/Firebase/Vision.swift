//===--- Vision.swift - where the earlier generation gets its detectors ---===//
//
// ML Kit's first generation, Firebase ML Vision, by its own names: a thin layer over the later one.
//
// Contract  One instance for all apps: nothing here belongs to a Firebase project.
// Checked   Tests/MartletTests/FirebaseTests.swift, Tests/MartletTests/FirebaseFaceTests.swift
//===----------------------------------------------------------------------===//

/// Makes detectors, as in Firebase ML Vision.
public final class Vision: Sendable {
  private static let shared = Vision()

  private init() {}

  /// The maker of detectors.
  public static func vision() -> Vision { shared }

  /// The maker of detectors, whatever the app: a `FirebaseApp`, or anything else.
  public static func vision(app: AnyObject) -> Vision { shared }

  /// Always `false`: no statistics are collected. Setting it does nothing.
  public var isStatsCollectionEnabled: Bool {
    get { false }
    set {}
  }

  /// A detector with default options: a stream, the most prominent object, no classification.
  public func objectDetector() -> VisionObjectDetector {
    objectDetector(options: VisionObjectDetectorOptions())
  }

  /// A detector with these options, of which it takes a copy.
  public func objectDetector(options: VisionObjectDetectorOptions) -> VisionObjectDetector {
    VisionObjectDetector(ObjectDetector.objectDetector(options: options))
  }

  /// A detector with default options: fast, faces and how they are turned alone.
  public func faceDetector() -> VisionFaceDetector {
    faceDetector(options: VisionFaceDetectorOptions())
  }

  /// A detector with these options, of which it takes a copy.
  public func faceDetector(options: VisionFaceDetectorOptions) -> VisionFaceDetector {
    VisionFaceDetector(FaceDetector.faceDetector(options: options))
  }
}
