//===--- FaceDetectorOptions.swift - options of face detection ------------===//
//
// ML Kit's options and defaults: fast, Euler angles, no landmarks, contours or classes. Options
// that ML Kit lacks are marked.
//
// Contract  A detector reads its options when it is made. Options may be used from several tasks.
//===----------------------------------------------------------------------===//

public import Foundation
import MartletBase
import MartletVision

/// The options of a face detector.
public final class FaceDetectorOptions: Sendable {
  private let state = Mutex(FaceOptionValues())

  /// Fast, without landmarks, contours, classification and tracking.
  public init() {}

  /// The current values.
  var values: FaceOptionValues { state.withLock { $0 } }

  private subscript<Value: Sendable>(
    _ path: any WritableKeyPath<FaceOptionValues, Value> & Sendable
  ) -> Value {
    get { state.withLock { $0[keyPath: path] } }
    set { state.withLock { $0[keyPath: path] = newValue } }
  }

  /// Whether speed or accuracy matters more. Default: `.fast`.
  public var performanceMode: FaceDetectorPerformanceMode {
    get { self[\.performance] }
    set { self[\.performance] = newValue }
  }

  /// Whether landmarks are detected. Default: `.none`.
  public var landmarkMode: FaceDetectorLandmarkMode {
    get { self[\.landmarks] }
    set { self[\.landmarks] = newValue }
  }

  /// Whether contours of the most prominent face are detected. Default: `.none`.
  ///
  /// If only contours are enabled and the mode is `.fast`, only that face is returned, without
  /// Euler angles and without an identifier.
  public var contourMode: FaceDetectorContourMode {
    get { self[\.contours] }
    set { self[\.contours] = newValue }
  }

  /// Whether smiling and open eyes are classified. Default: `.none`.
  public var classificationMode: FaceDetectorClassificationMode {
    get { self[\.classification] }
    set { self[\.classification] = newValue }
  }

  /// The smallest width of a face as a share of the image width. Default: 0.1, also for numbers
  /// outside 0...1. Ignored if only contours of one face are detected. Below 0.05, the accurate
  /// mode also runs the detector on four overlapping parts of the image.
  ///
  /// The default drops faces of less than 128 pixels in an image of 1280 x 720: those more than
  /// 1.3 meters from a camera with a horizontal field of view of 60 degrees. 0.05 reaches 2.5
  /// meters, 0.03 reaches 4.2.
  public var minFaceSize: CGFloat {
    get { CGFloat(self[\.minimumSize]) }
    set { self[\.minimumSize] = Double(newValue) }
  }

  /// Whether faces are tracked and keep an identifier from frame to frame. Default: `false`.
  /// Ignored if only contours of one face are detected.
  public var isTrackingEnabled: Bool {
    get { self[\.tracks] }
    set { self[\.tracks] = newValue }
  }
}

// MARK: - Beyond ML Kit

extension FaceDetectorOptions {
  /// Whether contours of all faces are detected instead of the most prominent one's. Default:
  /// `false`. If `true`, all faces are returned, with Euler angles.
  public var shouldFindContoursOfAllFaces: Bool {
    get { self[\.contoursOfAllFaces] }
    set { self[\.contoursOfAllFaces] = newValue }
  }

  /// Whether the 468 points of each face's mesh are returned. Default: `false`.
  public var shouldReturnMesh: Bool {
    get { self[\.mesh] }
    set { self[\.mesh] = newValue }
  }

  /// The lowest score of a face. Default: 0.4, also for numbers outside 0...1.
  public var minimumFaceScore: Float {
    get { self[\.minimumScore] }
    set { self[\.minimumScore] = newValue }
  }

  /// The largest number of faces; the most prominent ones are returned. Default: no limit, also for
  /// numbers below 1.
  public var maximumFaceCount: Int {
    get { self[\.maximumFaceCount] }
    set { self[\.maximumFaceCount] = newValue }
  }

  /// Whether the points of tracked faces are smoothed from frame to frame. Default: `true`.
  public var shouldSmoothPoints: Bool {
    get { self[\.smooths] }
    set { self[\.smooths] = newValue }
  }

  /// Whether `results(in:)` throws `VisionError.calledOnMainThread` on the main thread. Default:
  /// `false`, the call blocks the main thread. In ML Kit it raises an exception.
  public var shouldThrowOnMainThread: Bool {
    get { self[\.refusesMainThread] }
    set { self[\.refusesMainThread] = newValue }
  }

  /// The kernels, workers and limits of the networks. Default: `Workers.pool`, all
  /// processors; `Workers.serial` is one thread. The workers do not change the results.
  public var interpreterOptions: Interpreter.Options {
    get { self[\.execution] }
    set { self[\.execution] = newValue }
  }
}
