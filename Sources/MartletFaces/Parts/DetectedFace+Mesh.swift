//===--- DetectedFace+Mesh.swift - a face that has been looked at ---------===//
//
// Checked   Tests/MartletFacesTests/DetectedFaceTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

extension DetectedFace {
  /// Takes what a mesh tells: the box, and the key points that are in it. Ears, which are not, go with the face
  /// where it had a mesh before.
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

  /// Takes what a detector tells of a face whose mesh is known: its score, and the ears.
  package mutating func see(_ detected: DetectedFace) {
    score = detected.score
    keyPoints.leftEar = detected.keyPoints.leftEar
    keyPoints.rightEar = detected.keyPoints.rightEar
  }

  /// Tells how the head is turned, by the mesh or, without one, by the key points.
  package mutating func measureAngles() {
    angles = mesh.flatMap { HeadEulerAngles($0) } ?? HeadEulerAngles(keyPoints)
  }
}

extension Point {
  /// The same place of a face, from one crop of it to another.
  fileprivate func moved(from old: FaceCrop, to new: FaceCrop) -> Point {
    let place = new.picture(old.crop([x, y, 0]))
    return Point(x: place.x, y: place.y)
  }
}
