//===--- VisionFace.swift - Firebase's face type --------------------------===//
//
// Contract  Euler X is not available; landmarks and contours are accessed one by one.
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletVision

/// Options of a face detector; the same type as in the current API.
public typealias VisionFaceDetectorOptions = FaceDetectorOptions

/// Fast or accurate; the same type as in the current API.
public typealias VisionFaceDetectorPerformanceMode = FaceDetectorPerformanceMode

/// Whether landmarks are detected; the same type as in the current API.
public typealias VisionFaceDetectorLandmarkMode = FaceDetectorLandmarkMode

/// Whether contours are detected; the same type as in the current API.
public typealias VisionFaceDetectorContourMode = FaceDetectorContourMode

/// Whether faces are classified; the same type as in the current API.
public typealias VisionFaceDetectorClassificationMode = FaceDetectorClassificationMode

/// A landmark of a face; the same type as in the current API.
public typealias VisionFaceLandmark = FaceLandmark

/// A contour of a face; the same type as in the current API.
public typealias VisionFaceContour = FaceContour

/// A face in an image.
public struct VisionFace: Sendable, Hashable, Codable {
  let face: Face

  /// Wraps a face of the current API.
  public init(_ face: Face) { self.face = face }

  /// Decodes the JSON format of `Face`.
  public init(from decoder: any Decoder) throws { face = try Face(from: decoder) }

  /// Encodes the JSON format of `Face`.
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

  /// The landmark of a type, or `nil` if it is hidden or landmarks are disabled.
  public func landmark(ofType type: FaceLandmarkType) -> VisionFaceLandmark? {
    face.landmark(ofType: type)
  }

  /// The contour of a type, or `nil` if contours are disabled for this face.
  public func contour(ofType type: FaceContourType) -> VisionFaceContour? {
    face.contour(ofType: type)
  }
}

extension VisionFace: CustomStringConvertible {
  /// The description of the `Face`.
  public var description: String { face.description }
}
