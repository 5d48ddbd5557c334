//===--- VisionFace.swift - the earlier generation's faces ----------------===//
//
// Contract  There Euler X is not reported, and landmarks and contours are requested one by one.
// Checked   Tests/MartletTests/FirebaseFaceTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletFaces

/// Options of a detector; the same as the later generation's.
public typealias VisionFaceDetectorOptions = FaceDetectorOptions

/// Fast or accurate; the same as the later generation's.
public typealias VisionFaceDetectorPerformanceMode = FaceDetectorPerformanceMode

/// Whether landmarks are found; the same as the later generation's.
public typealias VisionFaceDetectorLandmarkMode = FaceDetectorLandmarkMode

/// Whether contours are found; the same as the later generation's.
public typealias VisionFaceDetectorContourMode = FaceDetectorContourMode

/// Whether faces are classified; the same as the later generation's.
public typealias VisionFaceDetectorClassificationMode = FaceDetectorClassificationMode

/// A place in a face; the same as the later generation's.
public typealias VisionFaceLandmark = FaceLandmark

/// A line in a face; the same as the later generation's.
public typealias VisionFaceContour = FaceContour

/// A face in an image.
public struct VisionFace: Sendable, Hashable, Codable {
  let face: Face

  /// The same face as the later generation's.
  public init(_ face: Face) { self.face = face }

  /// The face in the form of `Face`.
  public init(from decoder: any Decoder) throws { face = try Face(from: decoder) }

  /// Writes the face in the form of `Face`.
  public func encode(to encoder: any Encoder) throws { try face.encode(to: encoder) }

  /// The bounding box of the face, in pixels of the stored image.
  public var frame: CGRect { face.frame }
  /// Whether there is a tracking identifier.
  public var hasTrackingID: Bool { face.hasTrackingID }
  /// The tracking identifier; -1 if there is none.
  public var trackingID: Int { face.trackingID }
  /// Whether `headEulerAngleY` is available.
  public var hasHeadEulerAngleY: Bool { face.hasHeadEulerAngleY }
  /// How far the face is turned to the right of the image, in degrees; 0 if unavailable.
  public var headEulerAngleY: CGFloat { face.headEulerAngleY }
  /// Whether `headEulerAngleZ` is available.
  public var hasHeadEulerAngleZ: Bool { face.hasHeadEulerAngleZ }
  /// How far the face is tilted counter-clockwise, in degrees; 0 if unavailable.
  public var headEulerAngleZ: CGFloat { face.headEulerAngleZ }
  /// Whether `smilingProbability` is available.
  public var hasSmilingProbability: Bool { face.hasSmilingProbability }
  /// The probability that the face smiles, 0...1; -1 if unavailable.
  public var smilingProbability: CGFloat { face.smilingProbability }
  /// Whether `leftEyeOpenProbability` is available.
  public var hasLeftEyeOpenProbability: Bool { face.hasLeftEyeOpenProbability }
  /// The probability that the left eye is open, 0...1; -1 if unavailable.
  public var leftEyeOpenProbability: CGFloat { face.leftEyeOpenProbability }
  /// Whether `rightEyeOpenProbability` is available.
  public var hasRightEyeOpenProbability: Bool { face.hasRightEyeOpenProbability }
  /// The probability that the right eye is open, 0...1; -1 if unavailable.
  public var rightEyeOpenProbability: CGFloat { face.rightEyeOpenProbability }

  /// The landmark of a type, or `nil` if it is hidden or landmarks are not asked for.
  public func landmark(ofType type: FaceLandmarkType) -> VisionFaceLandmark? {
    face.landmark(ofType: type)
  }

  /// The contour of a type, or `nil` if contours are not asked for, or not of this face.
  public func contour(ofType type: FaceContourType) -> VisionFaceContour? {
    face.contour(ofType: type)
  }
}
