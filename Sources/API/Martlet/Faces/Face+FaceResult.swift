//===--- Face+FaceResult.swift - faces from detections --------------------===//

import Foundation
import MartletVision

extension Face {
  /// Converts a detection in the upright image to the stored image.
  init(_ reported: FaceResult, in image: InputImage) {
    self.init(
      Places(
        frame: CGRect(reported.face.frame),
        landmarks: reported.landmarks.map {
          FaceLandmark(type: $0.type, position: VisionPoint($0.place))
        },
        contours: reported.contours.map {
          FaceContour(type: $0.type, points: $0.points.map { VisionPoint($0) })
        },
        mesh: reported.mesh.map { Vision3DPoint($0) }),
      orientation: image.imageOrientation, storedSize: image.size, trackingID: reported.trackingID,
      headEulerAngles: reported.angles, smile: reported.smile, leftEyeOpen: reported.leftEyeOpen,
      rightEyeOpen: reported.rightEyeOpen, score: reported.face.score)
  }
}
