import MartletImage
import Testing

@testable import MartletVision

@Suite struct FaceResultTests {
  /// A face with all parts.
  private func face() -> DetectedFace {
    var face = TestFace.at(100, 100)
    face.mesh = TestFace.mesh { [Float($0), 0, 0] }
    face.angles = HeadEulerAngles(x: 0, y: 20, z: 0)
    (face.smile, face.leftEyeOpen, face.rightEyeOpen) = (0.25, 0.5, 0.75)
    face.trackingID = 3
    return face
  }

  private func reported(_ change: (inout FaceConfiguration) -> Void) -> FaceResult {
    var configuration = FaceConfiguration(isAccurate: false)
    change(&configuration)
    return FaceResult(face(), configuration, isMostProminent: true)
  }

  @Test func omitsPartsThatAreNotRequested() {
    let bare = reported { $0.angles = false }
    #expect(bare.trackingID == nil && bare.angles == nil && bare.smile == nil)
    #expect(bare.leftEyeOpen == nil && bare.rightEyeOpen == nil)
    #expect(bare.landmarks.isEmpty && bare.contours.isEmpty && bare.mesh.isEmpty)
    #expect(bare.face == face())
  }

  @Test func reportsRequestedParts() {
    #expect(reported { $0.isStream = true }.trackingID == 3)
    #expect(reported { _ in }.angles == HeadEulerAngles(x: 0, y: 20, z: 0))
    let expression = reported { $0.expressions = true }
    #expect(expression.smile == 0.25 && expression.leftEyeOpen == 0.5)
    #expect(expression.rightEyeOpen == 0.75)
    #expect(reported { $0.mesh = true }.mesh == face().mesh?.points)
  }

  @Test func reportsVisibleLandmarks() {
    let landmarks = reported { $0.landmarks = true }.landmarks
    #expect(
      landmarks.map(\.type) == [
        .mouthBottom, .mouthRight, .rightEar, .leftEye, .rightEye, .rightCheek, .noseBase,
      ])
    #expect(landmarks.first?.place == Point(x: 17, y: 0))
  }

  @Test func contoursAreSortedByType() {
    let contours = reported { $0.contours = .mostProminent }.contours
    #expect(contours.map(\.type) == FaceContourType.allCases)
    #expect(contours.reduce(0) { $0 + $1.points.count } == 133)
  }

  @Test func firstFaceIsTheMostProminent() {
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.contours = .mostProminent
    #expect(
      configuration.reported(of: [face(), face()]).map { $0.contours.isEmpty } == [false, true])
    configuration.contours = .all
    #expect(
      configuration.reported(of: [face(), face()]).map { $0.contours.isEmpty } == [false, false])
  }
}
