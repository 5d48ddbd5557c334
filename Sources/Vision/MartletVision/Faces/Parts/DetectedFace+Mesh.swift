//===--- DetectedFace+Mesh.swift - updates of a face ----------------------===//

internal import MartletImage

extension DetectedFace {
  /// Sets the mesh, and the box and key points that follow from it. A mesh has no ears: if the face
  /// had a mesh before, its ears move with the crop.
  package mutating func take(_ mesh: FaceMesh) {
    if let before = self.mesh {
      let (old, new) = (FaceCrop(around: before), FaceCrop(around: mesh))
      keyPoints.leftEar = keyPoints.leftEar.moved(from: old, to: new)
      keyPoints.rightEar = keyPoints.rightEar.moved(from: old, to: new)
    }
    self.mesh = mesh
    frame = mesh.box
    keyPoints.rightEye = mesh.landmark(.rightEye)
    keyPoints.leftEye = mesh.landmark(.leftEye)
    keyPoints.noseTip = mesh.place(4)
    keyPoints.mouth = mesh.mouth
  }

  /// Takes the score and the ears of a new detection, for a face whose mesh is known.
  package mutating func update(_ detected: DetectedFace) {
    score = detected.score
    keyPoints.leftEar = detected.keyPoints.leftEar
    keyPoints.rightEar = detected.keyPoints.rightEar
  }

  /// Estimates the head angles from the mesh, or from the key points if there is no mesh.
  package mutating func measureAngles() {
    angles = mesh.flatMap { HeadEulerAngles($0) } ?? HeadEulerAngles(keyPoints)
  }
}

extension Point {
  /// Moves the point with the face, from its old crop to its new one.
  fileprivate func moved(from old: FaceCrop, to new: FaceCrop) -> Point {
    let place = new.imagePoint(old.crop([x, y, 0]))
    return Point(x: place.x, y: place.y)
  }
}
