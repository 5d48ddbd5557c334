//===--- FaceKeyPoints.swift - the six points that come with a face's box --===//
//
// Checked   Tests/MartletFacesTests/FaceGridTests.swift
//===----------------------------------------------------------------------===//

package import MartletImage

/// The points that a detector gives with a face. Left and right are the subject's own.
package struct FaceKeyPoints: Sendable, Hashable {
  /// The middle of the right eye.
  package var rightEye: Point
  /// The middle of the left eye.
  package var leftEye: Point
  /// The tip of the nose.
  package var noseTip: Point
  /// The middle of the mouth.
  package var mouth: Point
  /// Before the right ear, where its cartilage begins.
  package var rightEar: Point
  /// Before the left ear, where its cartilage begins.
  package var leftEar: Point

  /// All points, in the order in which they are declared.
  package var all: [Point] { [rightEye, leftEye, noseTip, mouth, rightEar, leftEar] }

  /// Points in the order of `all`, or `nil` unless they are six.
  package init?(_ points: [Point]) {
    guard points.count == 6 else { return nil }
    (rightEye, leftEye, noseTip) = (points[0], points[1], points[2])
    (mouth, rightEar, leftEar) = (points[3], points[4], points[5])
  }
}
