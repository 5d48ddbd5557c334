//===--- DetectedFace.swift - a face in an upright image ------------------===//
//
// The only type for a face, from a network's output through crops and tracks to the API.
//
// Contract  Pixels of the upright image, origin top left. Values not measured yet are `nil`.
//===----------------------------------------------------------------------===//

package import MartletImage

/// A face in an upright image.
package struct DetectedFace: Sendable, Hashable {
  /// The bounding box, from chin to forehead and from cheek to cheek.
  package var frame: Box
  /// The detector's score, 0...1.
  package var score: Float
  /// The detector's six key points.
  package var keyPoints: FaceKeyPoints
  /// All points of the face; `nil` until the mesh network has run.
  package var mesh: FaceMesh?
  /// The head angles in degrees; `nil` until they are estimated.
  package var angles: HeadEulerAngles?
  /// The probability that the face smiles, 0...1.
  package var smile: Float?
  /// The probability that the left eye is open, 0...1.
  package var leftEyeOpen: Float?
  /// The probability that the right eye is open, 0...1.
  package var rightEyeOpen: Float?
  /// Stays the same in all frames of a stream and is never used for another face; `nil` if faces
  /// are not tracked.
  package var trackingID: Int?

  /// A face as a detector reports it.
  package init(frame: Box, score: Float, keyPoints: FaceKeyPoints) {
    self.frame = frame
    self.score = score
    self.keyPoints = keyPoints
  }

  /// The position of a landmark; `nil` if the head's rotation hides it or there is no mesh.
  ///
  /// Ears are the detector's key points, because the mesh has none.
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
  /// The faces by decreasing salience in an image of this size: large faces near the center come
  /// first. Faces of equal salience keep their order.
  package func byProminence(in size: ImageSize) -> [DetectedFace] {
    let prominences = map { $0.prominence(in: size) }
    return indices.sorted { (prominences[$1], $0) < (prominences[$0], $1) }.map { self[$0] }
  }
}

extension [DetectedFace] {
  /// The faces with a mesh, then those without one, each in their order.
  func withMeshesFirst() -> [DetectedFace] {
    filter { $0.mesh != nil } + filter { $0.mesh == nil }
  }
}

extension DetectedFace {
  /// The box's area times its nearness to the image center: 1 there, 0 in a corner.
  fileprivate func prominence(in size: ImageSize) -> Float {
    let (width, height) = (Float(size.width), Float(size.height))
    let (dx, dy) = (frame.center.x - width / 2, frame.center.y - height / 2)
    let halfDiagonal = (width * width + height * height).squareRoot() / 2
    return frame.area * max(1 - (dx * dx + dy * dy).squareRoot() / halfDiagonal, 0)
  }
}
