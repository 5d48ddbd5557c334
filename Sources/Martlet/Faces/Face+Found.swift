//===--- Face+Found.swift - the parts of a face that were asked for -------===//
//
// Checked   Tests/MartletTests/FaceTests.swift
//===----------------------------------------------------------------------===//

import Foundation
import MartletFaces
import MartletVision

extension Face {
  /// What is told of a face that was found in the upright picture, seen from the picture as given.
  init(_ told: FaceResult, in image: Picture) {
    self.init(
      Places(
        frame: CGRect(told.face.frame),
        landmarks: told.landmarks.map {
          FaceLandmark(type: $0.type, position: VisionPoint($0.place))
        },
        contours: told.contours.map {
          FaceContour(type: $0.type, points: $0.points.map { VisionPoint($0) })
        },
        mesh: told.mesh.map { Vision3DPoint($0) }),
      orientation: image.imageOrientation, storedSize: image.size, trackingID: told.trackingID,
      headEulerAngles: told.angles, smile: told.smile, leftEyeOpen: told.leftEyeOpen,
      rightEyeOpen: told.rightEyeOpen, score: told.face.score)
  }
}
