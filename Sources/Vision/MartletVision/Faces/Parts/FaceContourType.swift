//===--- FaceContourType.swift - the fifteen contours of a face -----------===//
//
// Source    ML Kit's `FaceContourType`, in the order of its header.
//===----------------------------------------------------------------------===//

/// A contour of a face. Left and right are the subject's own.
public enum FaceContourType: String, Sendable, CaseIterable {
  /// The outline, 36 points, clockwise in the image, from the middle of the forehead.
  case face
  /// The upper edge of the left eyebrow, 5 points.
  case leftEyebrowTop
  /// The lower edge of the left eyebrow, 5 points.
  case leftEyebrowBottom
  /// The upper edge of the right eyebrow, 5 points.
  case rightEyebrowTop
  /// The lower edge of the right eyebrow, 5 points.
  case rightEyebrowBottom
  /// The rim of the left eye, 16 points, clockwise in the image, from the inner corner.
  case leftEye
  /// The rim of the right eye, 16 points, clockwise in the image, from the outer corner.
  case rightEye
  /// The upper edge of the upper lip, 11 points from corner to corner.
  case upperLipTop
  /// The lower edge of the upper lip, 9 points.
  case upperLipBottom
  /// The upper edge of the lower lip, 9 points.
  case lowerLipTop
  /// The lower edge of the lower lip, 9 points.
  case lowerLipBottom
  /// The bridge of the nose, from between the eyes to the tip, 2 points.
  case noseBridge
  /// The lower edge of the nose, 3 points: middle, right wing, left wing.
  case noseBottom
  /// The middle of the left cheek, 1 point.
  case leftCheek
  /// The middle of the right cheek, 1 point.
  case rightCheek
}
