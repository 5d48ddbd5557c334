//===--- FaceLandmark.swift - landmarks and contours of a face ------------===//

public import MartletVision

/// A landmark of a face.
public struct FaceLandmark: Sendable, Hashable {
  /// The kind of landmark. Left and right are the subject's own.
  public let type: FaceLandmarkType
  /// The position in the image, in pixels.
  public let position: VisionPoint

  /// A landmark with these values.
  public init(type: FaceLandmarkType, position: VisionPoint) {
    self.type = type
    self.position = position
  }
}

/// A contour of a face.
public struct FaceContour: Sendable, Hashable {
  /// The kind of contour. Left and right are the subject's own.
  public let type: FaceContourType
  /// The points, in pixels of the image; `FaceContourType` documents their number and order.
  public let points: [VisionPoint]

  /// A contour with these values.
  public init(type: FaceContourType, points: [VisionPoint]) {
    self.type = type
    self.points = points
  }
}
