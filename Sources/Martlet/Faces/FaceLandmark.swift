//===--- FaceLandmark.swift - places and lines of a face ------------------===//
//
// Checked   Tests/MartletTests/FaceTests.swift
//===----------------------------------------------------------------------===//

public import MartletFaces

/// A place in a face.
public struct FaceLandmark: Sendable, Hashable {
  /// Which place it is. Left and right are the subject's own.
  public let type: FaceLandmarkType
  /// Where it is in the image.
  public let position: VisionPoint

  /// A landmark of these values.
  public init(type: FaceLandmarkType, position: VisionPoint) {
    self.type = type
    self.position = position
  }
}

/// A line in a face.
public struct FaceContour: Sendable, Hashable {
  /// Which line it is. Left and right are the subject's own.
  public let type: FaceContourType
  /// Its points: as many of each type as `FaceContourType` says.
  public let points: [VisionPoint]

  /// A contour of these values.
  public init(type: FaceContourType, points: [VisionPoint]) {
    self.type = type
    self.points = points
  }
}
