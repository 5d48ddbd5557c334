//===--- Face.swift - a face in an image ----------------------------------===//
//
// ML Kit's result, with further values. Each pair of a flag and a value in ML Kit is also an
// optional.
//
// Contract  Places are in the stored image: pixels of the buffer, origin top left, whatever the
//           orientation, as in ML Kit on iOS. Places of `upright` are in the upright image. Left
//           and right are the subject's own, and angles are those of the upright image.
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletVision

/// A face in an image.
public struct Face: Sendable, Hashable {
  /// The places in the upright image.
  struct Places: Sendable, Equatable {
    var frame: CGRect
    var landmarks: [FaceLandmark]
    var contours: [FaceContour]
    var mesh: [Vision3DPoint]
  }

  /// The places in the upright image.
  let places: Places
  /// The orientation and the size of the stored image. The size is 0 x 0 if the orientation is `up`:
  /// no place depends on it, so neither do equality and JSON.
  let orientation: ImageOrientation
  let storedSize: ImageSize

  /// The tracking identifier: the same number in each frame while the face is tracked, never
  /// negative and never reused; `nil` if faces are not tracked. Beyond ML Kit.
  public let trackingIdentifier: Int?
  /// The Euler angles of the head, in degrees; `nil` if they were not computed. Beyond ML Kit.
  public let headEulerAngles: HeadEulerAngles?
  /// The probability that the face smiles, 0...1; `nil` unless classification is enabled. Beyond ML
  /// Kit.
  public let smile: Float?
  /// The probability that the left eye is open, 0...1; `nil` unless classification is enabled.
  /// Beyond ML Kit.
  public let leftEyeOpen: Float?
  /// The probability that the right eye is open, 0...1; `nil` unless classification is enabled.
  /// Beyond ML Kit.
  public let rightEyeOpen: Float?
  /// The probability that there is a face, 0...1. Beyond ML Kit.
  public let score: Float

  /// A face with these values in an upright image, for your own tests. It equals a detected face with
  /// the same values.
  ///
  /// Landmarks and contours are sorted by type, as those of detected faces; of several of a type the
  /// first one is kept.
  public init(
    frame: CGRect, trackingID: Int? = nil, headEulerAngles: HeadEulerAngles? = nil,
    smile: Float? = nil, leftEyeOpen: Float? = nil, rightEyeOpen: Float? = nil,
    landmarks: [FaceLandmark] = [], contours: [FaceContour] = [], mesh: [Vision3DPoint] = [],
    score: Float = 1
  ) {
    self.init(
      Places(
        frame: frame,
        landmarks: FaceLandmarkType.allCases.compactMap { type in
          landmarks.first { $0.type == type }
        },
        contours: FaceContourType.allCases.compactMap { type in
          contours.first { $0.type == type }
        }, mesh: mesh),
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
    self.storedSize = orientation == .up ? ImageSize(width: 0, height: 0) : storedSize
    trackingIdentifier = trackingID
    self.headEulerAngles = headEulerAngles
    self.smile = smile
    self.leftEyeOpen = leftEyeOpen
    self.rightEyeOpen = rightEyeOpen
    self.score = score
  }

  /// Feeds the frame and the identifier into `hasher`.
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
  /// The bounding box from chin to forehead and from cheek to cheek, in pixels of the stored image.
  public var frame: CGRect {
    guard orientation != .up else { return places.frame }
    return CGRect(orientation.stored(Box(places.frame), storedSize: storedSize))
  }

  /// The visible landmarks in the order of `FaceLandmarkType`; empty unless the options enable
  /// them.
  public var landmarks: [FaceLandmark] {
    places.landmarks.map {
      FaceLandmark(type: $0.type, position: $0.position.stored(orientation, storedSize))
    }
  }

  /// The contours in the order of `FaceContourType`; empty unless the options enable them for this
  /// face.
  public var contours: [FaceContour] {
    places.contours.map { contour in
      FaceContour(
        type: contour.type, points: contour.points.map { $0.stored(orientation, storedSize) })
    }
  }

  /// The 468 points of the mesh, numbered as in MediaPipe; empty unless the options enable it.
  /// Beyond ML Kit.
  public var mesh: [Vision3DPoint] { places.mesh.map { $0.stored(orientation, storedSize) } }

  /// The same face with all places in pixels of the upright image. Beyond ML Kit.
  public var upright: Face {
    Face(
      places, orientation: .up, storedSize: orientation.upright(storedSize),
      trackingID: trackingIdentifier, headEulerAngles: headEulerAngles, smile: smile,
      leftEyeOpen: leftEyeOpen, rightEyeOpen: rightEyeOpen, score: score)
  }

  /// The landmark of a type; `nil` if it is hidden or landmarks are disabled.
  public func landmark(ofType type: FaceLandmarkType) -> FaceLandmark? {
    landmarks.first { $0.type == type }
  }

  /// The contour of a type; `nil` if contours are disabled for this face.
  public func contour(ofType type: FaceContourType) -> FaceContour? {
    contours.first { $0.type == type }
  }
}

// MARK: - Flags and values, as in ML Kit

extension Face {
  /// Whether there is a tracking identifier.
  public var hasTrackingID: Bool { trackingIdentifier != nil }
  /// The tracking identifier; -1 if there is none.
  public var trackingID: Int { trackingIdentifier ?? -1 }

  /// Whether `headEulerAngleX` is available.
  public var hasHeadEulerAngleX: Bool { headEulerAngles != nil }
  /// How far the face is turned up, in degrees; 0 if unavailable.
  public var headEulerAngleX: CGFloat { CGFloat(headEulerAngles?.x ?? 0) }
  /// Whether `headEulerAngleY` is available.
  public var hasHeadEulerAngleY: Bool { headEulerAngles != nil }
  /// How far the face is turned to the right of the image, in degrees; 0 if unavailable.
  public var headEulerAngleY: CGFloat { CGFloat(headEulerAngles?.y ?? 0) }
  /// Whether `headEulerAngleZ` is available.
  public var hasHeadEulerAngleZ: Bool { headEulerAngles != nil }
  /// How far the face is tilted counter-clockwise, in degrees; 0 if unavailable.
  public var headEulerAngleZ: CGFloat { CGFloat(headEulerAngles?.z ?? 0) }

  /// Whether `smilingProbability` is available.
  public var hasSmilingProbability: Bool { smile != nil }
  /// The probability that the face smiles, 0...1; -1 if unavailable.
  public var smilingProbability: CGFloat { CGFloat(smile ?? -1) }
  /// Whether `leftEyeOpenProbability` is available.
  public var hasLeftEyeOpenProbability: Bool { leftEyeOpen != nil }
  /// The probability that the left eye is open, 0...1; -1 if unavailable.
  public var leftEyeOpenProbability: CGFloat { CGFloat(leftEyeOpen ?? -1) }
  /// Whether `rightEyeOpenProbability` is available.
  public var hasRightEyeOpenProbability: Bool { rightEyeOpen != nil }
  /// The probability that the right eye is open, 0...1; -1 if unavailable.
  public var rightEyeOpenProbability: CGFloat { CGFloat(rightEyeOpen ?? -1) }
}
