//===--- FaceDetector+Options.swift - face options as a structure ---------===//
//
// The same options as ML Kit's class, as a value with defaults.
//
// Checked   Tests/MartletTests/DetectorOptionStructuresTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletVision

extension FaceDetector {
  /// The options of a face detector.
  ///
  /// ```swift
  /// let detector = try FaceDetector(.init(isAccurate: true, landmarks: true))
  /// ```
  public struct Options: Sendable {
    /// The faces that have contours.
    @nonexhaustive
    public enum Contours: Sendable, Hashable {
      /// No face.
      case none
      /// The most prominent face. If no other option is set, only this face is returned, without
      /// Euler angles and without an identifier, as in ML Kit.
      case mostProminentFace
      /// All faces.
      case allFaces
    }

    /// Whether accuracy matters more than speed. Default: `false`.
    public var isAccurate: Bool
    /// Whether landmarks are detected. Default: `false`.
    public var landmarks: Bool
    /// The faces that have contours. Default: `.none`.
    public var contours: Contours
    /// Whether smiling and open eyes are classified. Default: `false`.
    public var classification: Bool
    /// Whether the 468 points of each face's mesh are returned. Default: `false`.
    public var mesh: Bool
    /// Whether faces are tracked and keep an identifier from frame to frame. Default: `false`.
    public var tracking: Bool
    /// The smallest width of a face as a share of the image width, 0...1. Default: 0.1.
    public var minimumSize: CGFloat
    /// The lowest score of a face, 0...1. Default: 0.4.
    public var minimumScore: Float
    /// The largest number of faces, at least 1; the most prominent ones are returned. Default: no
    /// limit.
    public var maximumFaceCount: Int
    /// The kernels, workers and limits of the networks. They use all processors by default; the
    /// number of workers does not change the results.
    public var interpreter: Interpreter.Options

    /// Options. By default they detect faces fast, with Euler angles only.
    public init(
      isAccurate: Bool = false, landmarks: Bool = false, contours: Contours = .none,
      classification: Bool = false, mesh: Bool = false, tracking: Bool = false,
      minimumSize: CGFloat = 0.1, minimumScore: Float = 0.4, maximumFaceCount: Int = .max,
      interpreter: Interpreter.Options = .init(workers: .pool)
    ) {
      self.isAccurate = isAccurate
      self.landmarks = landmarks
      self.contours = contours
      self.classification = classification
      self.mesh = mesh
      self.tracking = tracking
      self.minimumSize = minimumSize
      self.minimumScore = minimumScore
      self.maximumFaceCount = maximumFaceCount
      self.interpreter = interpreter
    }

    /// The same options in the form of ML Kit's class.
    var settings: FaceDetectorSettings {
      var settings = FaceDetectorSettings()
      settings.performance = isAccurate ? .accurate : .fast
      settings.landmarks = landmarks ? .all : .none
      settings.contours = contours == .none ? .none : .all
      settings.contoursOfAllFaces = contours == .allFaces
      settings.classification = classification ? .all : .none
      settings.mesh = mesh
      settings.tracks = tracking
      settings.minimumSize = Double(minimumSize)
      settings.minimumScore = minimumScore
      settings.maximumFaceCount = max(maximumFaceCount, 1)
      settings.interpreter = interpreter
      return settings
    }
  }

  /// A detector with these options and prepared networks.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public convenience init(_ options: Options) throws(VisionError) {
    let settings = options.settings
    let isAccurate = settings.finderOptions.isAccurate
    self.init(settings) { FaceModels.shipped(isAccurate: isAccurate) }
    try prepare()
  }
}
