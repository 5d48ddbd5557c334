//===--- FaceKeyPoints.swift - six key points of a face -------------------===//

package import MartletImage

/// The six points that a detector returns with a face. Left and right are the subject's own.
package struct FaceKeyPoints: Sendable, Hashable {
  /// The middle of the right eye.
  package var rightEye: Point
  /// The middle of the left eye.
  package var leftEye: Point
  /// The tip of the nose.
  package var noseTip: Point
  /// The middle of the mouth.
  package var mouth: Point
  /// In front of the right ear, where its cartilage begins.
  package var rightEar: Point
  /// In front of the left ear, where its cartilage begins.
  package var leftEar: Point

  /// All points, in the order in which they are declared.
  package var all: [Point] { [rightEye, leftEye, noseTip, mouth, rightEar, leftEar] }

  /// Key points in the order of `all`; `nil` unless there are exactly six.
  package init?(_ points: [Point]) {
    guard points.count == 6 else { return nil }
    (rightEye, leftEye, noseTip) = (points[0], points[1], points[2])
    (mouth, rightEar, leftEar) = (points[3], points[4], points[5])
  }
}
