import Foundation
import MartletVision
import Testing

@testable import Martlet

@Suite struct FaceTests {
  static let frame = CGRect(x: 1, y: 2, width: 3, height: 4)

  @Test func initializerKeepsItsValues() {
    let eye = FaceLandmark(type: .leftEye, position: VisionPoint(x: 1.5, y: 2.5))
    let nose = FaceContour(type: .noseBridge, points: [VisionPoint(x: 1, y: 2), .init(x: 3, y: 4)])
    let point = Vision3DPoint(x: 1, y: 2, z: -3)
    let face = Face(
      frame: FaceTests.frame, trackingID: 0, headEulerAngles: HeadEulerAngles(x: 1, y: -2, z: 3),
      smile: 0.25, leftEyeOpen: 0.5, rightEyeOpen: 0.75, landmarks: [eye], contours: [nose],
      mesh: [point], score: 0.5)
    #expect(face.frame == FaceTests.frame && face.score == 0.5)
    #expect(face.landmarks == [eye] && face.contours == [nose] && face.mesh == [point])
    #expect(face.landmark(ofType: .leftEye) == eye && face.landmark(ofType: .rightEye) == nil)
    #expect(face.contour(ofType: .noseBridge) == nose && face.contour(ofType: .face) == nil)
    #expect(face.hasTrackingID && face.trackingID == 0 && face.trackingIdentifier == 0)
    #expect(face.hasHeadEulerAngleX && face.headEulerAngleX == 1)
    #expect(face.hasHeadEulerAngleY && face.headEulerAngleY == -2)
    #expect(face.hasHeadEulerAngleZ && face.headEulerAngleZ == 3)
    #expect(face.hasSmilingProbability && face.smilingProbability == 0.25)
    #expect(face.hasLeftEyeOpenProbability && face.leftEyeOpenProbability == 0.5)
    #expect(face.hasRightEyeOpenProbability && face.rightEyeOpenProbability == 0.75)
    #expect(face.upright == face)
    #expect(Set([face, face]).count == 1)
  }

  @Test func missingValuesHaveNoFlag() {
    let face = Face(frame: FaceTests.frame)
    #expect(!face.hasTrackingID && face.trackingID == -1 && face.trackingIdentifier == nil)
    #expect(!face.hasHeadEulerAngleX && face.headEulerAngleX == 0)
    #expect(!face.hasHeadEulerAngleY && face.headEulerAngleY == 0)
    #expect(!face.hasHeadEulerAngleZ && face.headEulerAngleZ == 0)
    #expect(face.headEulerAngles == nil)
    #expect(!face.hasSmilingProbability && face.smilingProbability == -1 && face.smile == nil)
    #expect(!face.hasLeftEyeOpenProbability && face.leftEyeOpenProbability == -1)
    #expect(!face.hasRightEyeOpenProbability && face.rightEyeOpenProbability == -1)
    #expect(face.landmarks.isEmpty && face.contours.isEmpty && face.mesh.isEmpty)
  }

  /// A face with all parts in an upright image of 100 x 200. Vertex n is at (n / 10, n / 5).
  static func found(turned y: Float = 0) throws -> DetectedFace {
    let points = try #require(FaceKeyPoints((1...6).map { Point(x: Float($0), y: 50) }))
    var face = DetectedFace(
      frame: Box(x: 10, y: 20, width: 30, height: 40), score: 0.75, keyPoints: points)
    face.mesh = FaceMesh((0..<468).map { [Float($0) / 10, Float($0) / 5, Float($0) - 234] })
    face.angles = HeadEulerAngles(x: 1, y: y, z: 2)
    (face.smile, face.leftEyeOpen, face.rightEyeOpen) = (0.25, 0.5, 0.75)
    face.trackingID = 7
    return face
  }

  static func everything() -> FaceConfiguration {
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.landmarks = true
    configuration.contours = .mostProminent
    configuration.expressions = true
    configuration.isStream = true
    configuration.mesh = true
    return configuration
  }

  static func image(_ orientation: ImageOrientation = .up) throws -> InputImage {
    let isTurned = orientation.swapsAxes
    return InputImage(
      try RGBImage(
        width: isTurned ? 200 : 100, height: isTurned ? 100 : 200,
        filledWith: .init(red: 0, green: 0, blue: 0)), orientation: orientation)
  }

  @Test func returnsOnlyRequestedFaceParts() throws {
    let image = try FaceTests.image()
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.angles = false
    let bare = Face(
      FaceResult(try FaceTests.found(), configuration, isMostProminent: true), in: image)
    #expect(bare == Face(frame: CGRect(x: 10, y: 20, width: 30, height: 40), score: 0.75).sized())
    let full = Face(
      FaceResult(try FaceTests.found(), FaceTests.everything(), isMostProminent: true), in: image)
    #expect(full.landmarks.count == 8 && full.contours.count == 15 && full.mesh.count == 468)
    #expect(full.smile == 0.25 && full.leftEyeOpen == 0.5 && full.rightEyeOpen == 0.75)
    #expect(full.trackingID == 7 && full.headEulerAngleX == 1)
    let other = Face(
      FaceResult(try FaceTests.found(), FaceTests.everything(), isMostProminent: false), in: image
    )
    #expect(other.landmarks.count == 8 && other.contours.isEmpty)
  }

  @Test func landmarksHiddenByTurnedHeadAreOmitted() throws {
    let face = Face(
      FaceResult(try FaceTests.found(turned: 50), FaceTests.everything(), isMostProminent: true),
      in: try FaceTests.image())
    #expect(
      face.landmarks.map(\.type) == [.mouthRight, .rightEar, .rightEye, .rightCheek, .noseBase])
    #expect(face.landmark(ofType: .leftEye) == nil)
    #expect(face.landmark(ofType: .rightEar)?.position == VisionPoint(x: 5, y: 50))
  }

  /// The box (10, 20), 30 x 40, and the point (20.5, 41) of an upright image of 100 x 200, in
  /// stored coordinates.
  @Test(
    arguments: [
      (ImageOrientation.up, 10, 20, 20.5, 41), (.upMirrored, 60, 20, 79.5, 41),
      (.down, 60, 140, 79.5, 159), (.downMirrored, 10, 140, 20.5, 159),
      (.leftMirrored, 20, 10, 41, 20.5), (.right, 20, 60, 41, 79.5),
      (.rightMirrored, 140, 60, 159, 79.5), (.left, 140, 10, 159, 20.5),
    ] as [(ImageOrientation, CGFloat, CGFloat, CGFloat, CGFloat)])
  func coordinatesAreInTheStoredImage(
    _ orientation: ImageOrientation, _ x: CGFloat, _ y: CGFloat, _ pointX: CGFloat,
    _ pointY: CGFloat
  ) throws {
    let image = try FaceTests.image(orientation)
    let face = Face(
      FaceResult(try FaceTests.found(), FaceTests.everything(), isMostProminent: true), in: image)
    #expect(face.frame.origin == CGPoint(x: x, y: y))
    #expect(face.frame.size.width == (orientation.swapsAxes ? 40 : 30))
    // The right cheek is vertex 205.
    let place = VisionPoint(x: pointX, y: pointY)
    #expect(face.landmark(ofType: .rightCheek)?.position == place)
    #expect(face.contour(ofType: .rightCheek)?.points == [place])
    #expect(face.mesh[205] == Vision3DPoint(x: pointX, y: pointY, z: -29))
    #expect(face.upright.frame == CGRect(x: 10, y: 20, width: 30, height: 40))
    #expect(face.upright.mesh[205] == Vision3DPoint(x: 20.5, y: 41, z: -29))
  }
}

extension Face {
  /// The same face in an image of 100 x 200.
  fileprivate func sized() -> Face {
    Face(
      places, orientation: .up, storedSize: ImageSize(width: 100, height: 200),
      trackingID: nil, headEulerAngles: nil, smile: nil, leftEyeOpen: nil, rightEyeOpen: nil,
      score: score)
  }
}
