//===--- Face+Found.swift - the parts of a face that were asked for -------===//
//
// Checked   Tests/MartletTests/FaceTests.swift
//===----------------------------------------------------------------------===//

import Foundation
import MartletFaces
import MartletVision

extension Face {
  /// What is to be told of a face that was found in the upright picture, seen from the picture as given.
  ///
  /// - Parameter isMostProminent: Whether it is the first of the picture's faces.
  init(
    _ found: DetectedFace, isMostProminent: Bool, parts: FaceParts, in image: Picture
  ) {
    let told = FaceResult(found, parts, isMostProminent: isMostProminent)
    self.init(
      Places(
        frame: CGRect(found.frame),
        landmarks: told.landmarks.map {
          FaceLandmark(type: $0.type, position: VisionPoint($0.place))
        },
        contours: told.contours.map {
          FaceContour(type: $0.type, points: $0.points.map { VisionPoint($0) })
        },
        mesh: told.mesh.map { Vision3DPoint($0) }),
      orientation: image.imageOrientation, storedSize: image.size, trackingID: told.trackingID,
      headEulerAngles: told.angles, smile: told.smile, leftEyeOpen: told.leftEyeOpen,
      rightEyeOpen: told.rightEyeOpen, score: found.score)
  }
}
