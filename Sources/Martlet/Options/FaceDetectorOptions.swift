//===--- FaceDetectorOptions.swift - what a face detector looks for -------===//
//
// ML Kit's options, with its defaults: fast, faces and how they are turned alone. What ML Kit does not have
// says so.
//
// Contract  A detector reads its options when it is made. Options may be used from several tasks.
// Checked   Tests/MartletTests/FaceDetectorOptionsTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
import MartletVision
import Synchronization

/// What a face detector looks for.
public final class FaceDetectorOptions: Sendable {
  private let settings = Mutex(FaceDetectorSettings())

  /// Fast, without landmarks, contours, classification and tracking.
  public init() {}

  /// The values at this moment.
  var values: FaceDetectorSettings { settings.withLock { $0 } }

  private subscript<Value: Sendable>(
    _ path: any WritableKeyPath<FaceDetectorSettings, Value> & Sendable
  ) -> Value {
    get { settings.withLock { $0[keyPath: path] } }
    set { settings.withLock { $0[keyPath: path] = newValue } }
  }

  /// What counts more, time or precision; `.fast` unless set.
  public var performanceMode: FaceDetectorPerformanceMode {
    get { self[\.performance] }
    set { self[\.performance] = newValue }
  }

  /// Whether landmarks are found; `.none` unless set.
  public var landmarkMode: FaceDetectorLandmarkMode {
    get { self[\.landmarks] }
    set { self[\.landmarks] = newValue }
  }

  /// Whether contours are found, of the most prominent face; `.none` unless set.
  ///
  /// Where contours are all that is asked for, in `.fast`, that face alone is given, without Euler angles
  /// and without an identifier.
  public var contourMode: FaceDetectorContourMode {
    get { self[\.contours] }
    set { self[\.contours] = newValue }
  }

  /// Whether it is told if faces smile, and if their eyes are open; `.none` unless set.
  public var classificationMode: FaceDetectorClassificationMode {
    get { self[\.classification] }
    set { self[\.classification] = newValue }
  }

  /// The least width of a face as a share of the image's; 0.1 unless set, and instead of a number that is
  /// not in 0...1. It does not count where contours of one face are all that is asked for. Under 0.05, the
  /// accurate mode looks for faces in four overlapping parts of the image, too: four more runs of the
  /// detector's network.
  public var minFaceSize: CGFloat {
    get { CGFloat(self[\.leastSize]) }
    set { self[\.leastSize] = Double(newValue) }
  }

  /// Whether faces have identifiers that stay from frame to frame; `false` unless set. It does not count
  /// where contours of one face are all that is asked for.
  public var isTrackingEnabled: Bool {
    get { self[\.tracks] }
    set { self[\.tracks] = newValue }
  }
}

// MARK: - Beyond ML Kit

extension FaceDetectorOptions {
  /// Whether all faces have contours where contours are found, and not the most prominent one alone; `false`
  /// unless set. Then all faces are given, with Euler angles, whatever else is asked for.
  public var shouldFindContoursOfAllFaces: Bool {
    get { self[\.contoursOfAllFaces] }
    set { self[\.contoursOfAllFaces] = newValue }
  }

  /// Whether all points of faces' meshes are given; `false` unless set.
  public var shouldGiveMesh: Bool {
    get { self[\.mesh] }
    set { self[\.mesh] = newValue }
  }

  /// The least score of a face; 0.4 unless set, and instead of a number that is not in 0...1. At 0.4 one
  /// photograph without people in fifty gives a face.
  public var minimumFaceScore: Float {
    get { self[\.leastScore] }
    set { self[\.leastScore] = newValue }
  }

  /// How many faces are given at most, the most prominent ones; as many as there are unless set, and
  /// instead of a number that is not positive.
  public var maximumFaceCount: Int {
    get { self[\.maximumFaceCount] }
    set { self[\.maximumFaceCount] = newValue }
  }

  /// Whether the points of faces that are tracked are smoothed from frame to frame; `true` unless set.
  public var shouldSmoothPoints: Bool {
    get { self[\.smooths] }
    set { self[\.smooths] = newValue }
  }

  /// Whether `results(in:)` throws `VisionError.calledOnMainThread` on the main thread; `false` unless set:
  /// the call then blocks the main thread and returns. In ML Kit it raises an exception.
  public var shouldThrowOnMainThread: Bool {
    get { self[\.refusesMainThread] }
    set { self[\.refusesMainThread] = newValue }
  }

  /// On which kernels and with how many workers networks run; on the calling thread alone unless set.
  /// No choice changes a result.
  public var interpreterOptions: Interpreter.Options {
    get { self[\.interpreter] }
    set { self[\.interpreter] = newValue }
  }
}
