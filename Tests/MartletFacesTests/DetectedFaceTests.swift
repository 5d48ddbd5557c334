import MartletImage
import Testing

@testable import MartletFaces

@Suite struct DetectedFaceTests {
  private func face(turned y: Float) -> DetectedFace {
    var face = TestFace.at(100, 100)
    face.mesh = TestFace.mesh { [Float($0), 0, 0] }
    face.angles = HeadEulerAngles(x: 0, y: y, z: 0)
    return face
  }

  @Test func aFaceWithoutAMeshHasNoLandmarks() {
    #expect(FaceLandmarkType.allCases.allSatisfy { TestFace.at(10, 10).landmark($0) == nil })
  }

  @Test func whatIsHiddenIsNotGiven() {
    #expect(face(turned: 20).landmark(.mouthLeft) == nil)
    #expect(face(turned: 20).landmark(.mouthRight) == Point(x: 61, y: 0))
    #expect(face(turned: -20).landmark(.mouthLeft) == Point(x: 291, y: 0))
  }

  @Test func earsAreTheDetectorsPoints() {
    let left = face(turned: -20)
    #expect(left.landmark(.leftEar) == left.keyPoints.leftEar)
    #expect(face(turned: 20).landmark(.rightEar) == left.keyPoints.rightEar)
    #expect(face(turned: 0).landmark(.leftEar) == nil)
  }

  /// Faces, by middle and side, in the order of their prominence.
  @Test(
    arguments: [
      [(320, 240, 100), (320, 240, 50)], [(320, 240, 50), (80, 60, 50)],
      [(80, 60, 200), (320, 240, 50)], [(100, 240, 50), (540, 240, 50)],
    ] as [[(Float, Float, Float)]])
  func whatIsLargeAndInTheMiddleComesFirst(_ places: [(Float, Float, Float)]) {
    let faces = places.map { TestFace.at($0.0, $0.1, side: $0.2) }
    let size = ImageSize(width: 640, height: 480)
    #expect(faces.byProminence(in: size) == faces)
    if places[0].2 != places[1].2 || places[0].0 == 320 {
      #expect(faces.reversed().byProminence(in: size) == faces)
    }
  }
}
