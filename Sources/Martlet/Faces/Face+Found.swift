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
    self.init(
      Places(
        frame: CGRect(found.frame), landmarks: parts.landmarks ? found.landmarks : [],
        contours: parts.hasContours(isMostProminent: isMostProminent) ? found.contours : [],
        mesh: parts.mesh ? found.points : []),
      orientation: image.imageOrientation, storedSize: image.size,
      trackingID: parts.tracking ? found.trackingID : nil,
      headEulerAngles: parts.angles ? found.angles : nil,
      smile: parts.expressions ? found.smile : nil,
      leftEyeOpen: parts.expressions ? found.leftEyeOpen : nil,
      rightEyeOpen: parts.expressions ? found.rightEyeOpen : nil, score: found.score)
  }
}

extension DetectedFace {
  fileprivate var landmarks: [FaceLandmark] {
    FaceLandmarkType.allCases.compactMap { type in
      landmark(type).map { FaceLandmark(type: type, position: VisionPoint($0)) }
    }
  }

  fileprivate var contours: [FaceContour] {
    guard let mesh else { return [] }
    return FaceContourType.allCases.map { type in
      FaceContour(type: type, points: mesh.contour(type).map { VisionPoint($0) })
    }
  }

  fileprivate var points: [Vision3DPoint] {
    (mesh?.points ?? []).map {
      Vision3DPoint(x: CGFloat($0.x), y: CGFloat($0.y), z: CGFloat($0.z))
    }
  }
}
