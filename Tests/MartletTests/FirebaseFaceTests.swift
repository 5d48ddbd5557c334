import Foundation
import Testing

@testable import Martlet
@testable import MartletFirebase
@testable import MartletMLKit

@Suite struct FirebaseFaceTests {
  @Test func visionFaceHasTheValuesOfFace() {
    let face = Face(
      frame: CGRect(x: 1, y: 2, width: 3, height: 4), trackingID: 5,
      headEulerAngles: HeadEulerAngles(x: 1, y: 2, z: 3), smile: 0.25, leftEyeOpen: 0.5,
      rightEyeOpen: 0.75,
      landmarks: [FaceLandmark(type: .leftEye, position: VisionPoint(x: 1, y: 2))],
      contours: [FaceContour(type: .leftCheek, points: [VisionPoint(x: 3, y: 4)])])
    let earlier = VisionFace(face)
    #expect(earlier.frame == face.frame && earlier.hasTrackingID && earlier.trackingID == 5)
    #expect(earlier.hasHeadEulerAngleY && earlier.headEulerAngleY == 2)
    #expect(earlier.hasHeadEulerAngleZ && earlier.headEulerAngleZ == 3)
    #expect(earlier.hasSmilingProbability && earlier.smilingProbability == 0.25)
    #expect(earlier.hasLeftEyeOpenProbability && earlier.leftEyeOpenProbability == 0.5)
    #expect(earlier.hasRightEyeOpenProbability && earlier.rightEyeOpenProbability == 0.75)
    #expect(earlier.landmark(ofType: .leftEye) == face.landmarks.first)
    #expect(earlier.contour(ofType: .leftCheek) == face.contours.first)
    #expect(earlier.contour(ofType: .face) == nil)
  }

  @Test func optionsAndModesAliasTheLaterAPI() {
    let options = VisionFaceDetectorOptions()
    options.performanceMode = VisionFaceDetectorPerformanceMode.accurate
    options.landmarkMode = VisionFaceDetectorLandmarkMode.all
    options.contourMode = VisionFaceDetectorContourMode.none
    options.classificationMode = VisionFaceDetectorClassificationMode.all
    #expect((options as FaceDetectorOptions).performanceMode == .accurate)
  }
}
