//===--- Face.swift - a face in an image ----------------------------------===//
//
// ML Kit's result, and beside it what ML Kit keeps to itself. Where ML Kit has a flag and a value there is
// an optional, too.
//
// Contract  Places are in the image as given: pixels of the buffer, origin top left, whatever the
//           orientation, as in ML Kit on iOS. Those of `upright` are in the image as seen. Left and right
//           are the subject's own, and angles are those of the image as seen.
// Checked   Tests/MartletTests/FaceTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletFaces
import MartletVision

/// A face in an image.
public struct Face: Sendable, Hashable {
  /// What has been found, in the image turned upright.
  struct Places: Sendable, Equatable {
    var frame: CGRect
    var landmarks: [FaceLandmark]
    var contours: [FaceContour]
    var mesh: [Vision3DPoint]
  }

  /// The places in the image turned upright.
  let places: Places
  /// How the image as given was turned, and its size.
  let orientation: ImageOrientation
  let storedSize: ImageSize

  /// What tells the face from others, the same number from frame to frame as long as the face is followed,
  /// never negative and never used again; `nil` where faces are not tracked. Beyond ML Kit.
  public let trackingIdentifier: Int?
  /// How the head is turned, or `nil` where that is not told. Beyond ML Kit.
  public let headEulerAngles: HeadEulerAngles?
  /// How likely the face smiles, 0...1, or `nil` where that is not told. Beyond ML Kit.
  public let smile: Float?
  /// How likely the left eye is open, 0...1, or `nil` where that is not told. Beyond ML Kit.
  public let leftEyeOpen: Float?
  /// How likely the right eye is open, 0...1, or `nil` where that is not told. Beyond ML Kit.
  public let rightEyeOpen: Float?
  /// How sure the detector is that there is a face, 0...1. Beyond ML Kit.
  public let score: Float

  /// A face with these values in an upright image, for tests of your own.
  public init(
    frame: CGRect, trackingID: Int? = nil, headEulerAngles: HeadEulerAngles? = nil,
    smile: Float? = nil, leftEyeOpen: Float? = nil, rightEyeOpen: Float? = nil,
    landmarks: [FaceLandmark] = [], contours: [FaceContour] = [], mesh: [Vision3DPoint] = [],
    score: Float = 1
  ) {
    self.init(
      Places(frame: frame, landmarks: landmarks, contours: contours, mesh: mesh),
      orientation: .up, storedSize: ImageSize(width: 0, height: 0), trackingID: trackingID,
      headEulerAngles: headEulerAngles, smile: smile, leftEyeOpen: leftEyeOpen,
      rightEyeOpen: rightEyeOpen, score: score)
  }

  /// A face with these values.
  init(
    _ places: Places, orientation: ImageOrientation, storedSize: ImageSize, trackingID: Int?,
    headEulerAngles: HeadEulerAngles?, smile: Float?, leftEyeOpen: Float?, rightEyeOpen: Float?,
    score: Float
  ) {
    self.places = places
    self.orientation = orientation
    self.storedSize = storedSize
    trackingIdentifier = trackingID
    self.headEulerAngles = headEulerAngles
    self.smile = smile
    self.leftEyeOpen = leftEyeOpen
    self.rightEyeOpen = rightEyeOpen
    self.score = score
  }

  /// Feeds what tells faces apart into `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(places.frame.origin.x)
    hasher.combine(places.frame.origin.y)
    hasher.combine(places.frame.size.width)
    hasher.combine(places.frame.size.height)
    hasher.combine(trackingIdentifier)
  }
}

// MARK: - Places

extension Face {
  /// Where the face is, from chin to forehead and from cheek to cheek, in pixels of the image as given.
  public var frame: CGRect {
    guard orientation != .up else { return places.frame }
    return CGRect(orientation.stored(Box(places.frame), storedSize: storedSize))
  }

  /// The landmarks that are seen, in the order of `FaceLandmarkType`; empty where they are not asked for.
  public var landmarks: [FaceLandmark] {
    places.landmarks.map {
      FaceLandmark(type: $0.type, position: $0.position.stored(orientation, storedSize))
    }
  }

  /// The contours, in the order of `FaceContourType`; empty where they are not asked for, or not of
  /// this face.
  public var contours: [FaceContour] {
    places.contours.map { contour in
      FaceContour(
        type: contour.type, points: contour.points.map { $0.stored(orientation, storedSize) })
    }
  }

  /// The 468 points of the face, by MediaPipe's numbers; empty where they are not asked for. Beyond ML Kit.
  public var mesh: [Vision3DPoint] { places.mesh.map { $0.stored(orientation, storedSize) } }

  /// The same face with all places in pixels of the image turned upright. Beyond ML Kit.
  public var upright: Face {
    Face(
      places, orientation: .up, storedSize: orientation.upright(storedSize),
      trackingID: trackingIdentifier, headEulerAngles: headEulerAngles, smile: smile,
      leftEyeOpen: leftEyeOpen, rightEyeOpen: rightEyeOpen, score: score)
  }

  /// The landmark of a type, or `nil` where it is hidden or landmarks are not asked for.
  public func landmark(ofType type: FaceLandmarkType) -> FaceLandmark? {
    landmarks.first { $0.type == type }
  }

  /// The contour of a type, or `nil` where contours are not asked for, or not of this face.
  public func contour(ofType type: FaceContourType) -> FaceContour? {
    contours.first { $0.type == type }
  }
}

// MARK: - Flags and values, as ML Kit has them

extension Face {
  /// Whether there is a tracking identifier.
  public var hasTrackingID: Bool { trackingIdentifier != nil }
  /// What tells the face from others from frame to frame; -1 where there is none.
  public var trackingID: Int { trackingIdentifier ?? -1 }

  /// Whether it is told how far the face is turned up.
  public var hasHeadEulerAngleX: Bool { headEulerAngles != nil }
  /// How far the face is turned up, in degrees; 0 where that is not told.
  public var headEulerAngleX: CGFloat { CGFloat(headEulerAngles?.x ?? 0) }
  /// Whether it is told how far the face is turned to the right of the image.
  public var hasHeadEulerAngleY: Bool { headEulerAngles != nil }
  /// How far the face is turned to the right of the image, in degrees; 0 where that is not told.
  public var headEulerAngleY: CGFloat { CGFloat(headEulerAngles?.y ?? 0) }
  /// Whether it is told how far the face is tilted.
  public var hasHeadEulerAngleZ: Bool { headEulerAngles != nil }
  /// How far the face is tilted counter-clockwise, in degrees; 0 where that is not told.
  public var headEulerAngleZ: CGFloat { CGFloat(headEulerAngles?.z ?? 0) }

  /// Whether it is told how likely the face smiles.
  public var hasSmilingProbability: Bool { smile != nil }
  /// How likely the face smiles, 0...1; -1 where that is not told.
  public var smilingProbability: CGFloat { CGFloat(smile ?? -1) }
  /// Whether it is told how likely the left eye is open.
  public var hasLeftEyeOpenProbability: Bool { leftEyeOpen != nil }
  /// How likely the left eye is open, 0...1; -1 where that is not told.
  public var leftEyeOpenProbability: CGFloat { CGFloat(leftEyeOpen ?? -1) }
  /// Whether it is told how likely the right eye is open.
  public var hasRightEyeOpenProbability: Bool { rightEyeOpen != nil }
  /// How likely the right eye is open, 0...1; -1 where that is not told.
  public var rightEyeOpenProbability: CGFloat { CGFloat(rightEyeOpen ?? -1) }
}
