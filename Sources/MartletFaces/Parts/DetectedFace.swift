//===--- DetectedFace.swift - a face in an upright image ------------------===//
//
// The one type of a face, from a network's output through crops and tracks to the API.
//
// Contract  Pixels of the upright image, origin top left. What has not been looked at is `nil`.
// Checked   Tests/MartletFacesTests/DetectedFaceTests.swift
//===----------------------------------------------------------------------===//

package import MartletImage

/// A face in an upright image.
package struct DetectedFace: Sendable, Hashable {
  /// Where it is: from chin to forehead, from cheek to cheek.
  package var frame: Box
  /// How sure the detector is, 0...1.
  package var score: Float
  /// The detector's points.
  package var keyPoints: FaceKeyPoints
  /// All points of the face.
  package var mesh: FaceMesh?
  /// How the head is turned.
  package var angles: HeadEulerAngles?
  /// How likely it smiles, 0...1.
  package var smile: Float?
  /// How likely the left eye is open, 0...1.
  package var leftEyeOpen: Float?
  /// How likely the right eye is open, 0...1.
  package var rightEyeOpen: Float?
  /// The same in each frame of a stream, and no other face's, ever; `nil` if faces are not tracked.
  package var trackingID: Int?

  /// A face of which a detector tells.
  package init(frame: Box, score: Float, keyPoints: FaceKeyPoints) {
    self.frame = frame
    self.score = score
    self.keyPoints = keyPoints
  }

  /// Where a landmark is, or `nil` if a head that is turned like this hides it, or there is no mesh.
  ///
  /// Ears are the detector's key points: the mesh ends before them.
  package func landmark(_ type: FaceLandmarkType) -> Point? {
    guard let mesh, type.isVisible(atEulerY: angles?.y ?? 0) else { return nil }
    return switch type {
    case .leftEar: keyPoints.leftEar
    case .rightEar: keyPoints.rightEar
    default: mesh.landmark(type)
    }
  }
}

extension [DetectedFace] {
  /// The faces by decreasing salience in an image of this size: what is large and near the middle comes
  /// first. Equals keep their order.
  package func byProminence(in size: ImageSize) -> [DetectedFace] {
    let prominences = map { $0.prominence(in: size) }
    return indices.sorted { (prominences[$1], $0) < (prominences[$0], $1) }.map { self[$0] }
  }
}

extension DetectedFace {
  /// The box's area, times its nearness to the middle: 1 there, 0 in a corner.
  fileprivate func prominence(in size: ImageSize) -> Float {
    let (width, height) = (Float(size.width), Float(size.height))
    let (dx, dy) = (frame.center.x - width / 2, frame.center.y - height / 2)
    let halfDiagonal = (width * width + height * height).squareRoot() / 2
    return frame.area * max(1 - (dx * dx + dy * dy).squareRoot() / halfDiagonal, 0)
  }
}
