import MartletImage
import Testing

@testable import MartletVision

@Suite struct DetectedFaceTests {
  private func face(turned y: Float) -> DetectedFace {
    var face = TestFace.at(100, 100)
    face.mesh = TestFace.mesh { [Float($0), 0, 0] }
    face.angles = HeadEulerAngles(x: 0, y: y, z: 0)
    return face
  }

  @Test func facesWithMeshComeFirst() {
    let plain = [TestFace.at(10, 10), TestFace.at(20, 20)]
    let faces = [plain[0], face(turned: 1), plain[1], face(turned: 2)]
    #expect(faces.withMeshesFirst() == [faces[1], faces[3], plain[0], plain[1]])
    #expect(plain.withMeshesFirst() == plain)
  }

  @Test func faceWithoutMeshHasNoLandmarks() {
    #expect(FaceLandmarkType.allCases.allSatisfy { TestFace.at(10, 10).landmark($0) == nil })
  }

  @Test func hiddenLandmarksAreNil() {
    #expect(face(turned: 20).landmark(.mouthLeft) == nil)
    #expect(face(turned: 20).landmark(.mouthRight) == Point(x: 61, y: 0))
    #expect(face(turned: -20).landmark(.mouthLeft) == Point(x: 291, y: 0))
  }

  @Test func earsAreDetectorKeyPoints() {
    let left = face(turned: -20)
    #expect(left.landmark(.leftEar) == left.keyPoints.leftEar)
    #expect(face(turned: 20).landmark(.rightEar) == left.keyPoints.rightEar)
    #expect(face(turned: 0).landmark(.leftEar) == nil)
  }

  /// Faces (center x, center y, side) by decreasing prominence.
  @Test(
    arguments: [
      [(320, 240, 100), (320, 240, 50)], [(320, 240, 50), (80, 60, 50)],
      [(80, 60, 200), (320, 240, 50)], [(100, 240, 50), (540, 240, 50)],
    ] as [[(Float, Float, Float)]])
  func largeAndCentralFacesComeFirst(_ places: [(Float, Float, Float)]) {
    let faces = places.map { TestFace.at($0.0, $0.1, side: $0.2) }
    let size = ImageSize(width: 640, height: 480)
    #expect(faces.byProminence(in: size) == faces)
    if places[0].2 != places[1].2 || places[0].0 == 320 {
      #expect(faces.reversed().byProminence(in: size) == faces)
    }
  }

  @Test func meshSetsBoxAndKeyPoints() throws {
    let center = Point(x: 80, y: 90)
    var face = TestFace.at(100, 100)
    let ears = (face.keyPoints.leftEar, face.keyPoints.rightEar)
    let mesh = TestFace.mesh(turned: 5, 10, 20, at: center)
    face.take(mesh)
    #expect(face.mesh == mesh && face.frame == mesh.box)
    #expect(face.keyPoints.leftEye == mesh.landmark(.leftEye))
    #expect(face.keyPoints.mouth == mesh.mouth && face.keyPoints.noseTip == mesh.place(4))
    // The mesh has no ears.
    #expect(face.keyPoints.leftEar == ears.0 && face.keyPoints.rightEar == ears.1)
    face.measureAngles()
    #expect((try #require(face.angles).y - 10).magnitude < 0.01)
  }

  /// Moved by (7, -3), scaled by two, or rotated by 90°: the mesh's center, scale, roll, and the
  /// ear.
  @Test(
    arguments: [
      ((47, 27), 60, 0, (67, 47)), ((40, 30), 120, 0, (80, 70)), ((40, 30), 60, -90, (20, 50)),
    ] as [((Float, Float), Double, Double, (Float, Float))])
  func earsMoveWithTheMesh(
    _ center: (Float, Float), _ scale: Double, _ roll: Double, _ ear: (Float, Float)
  ) {
    var face = TestFace.at(100, 100)
    face.take(TestFace.mesh(turned: 0, 0, 0, at: Point(x: 40, y: 30)))
    // Twenty pixels right of the face's center and twenty below.
    face.keyPoints.leftEar = Point(x: 60, y: 50)
    face.take(
      TestFace.mesh(
        turned: 0, 0, roll, scale: scale, at: Point(x: center.0, y: center.1)))
    #expect((face.keyPoints.leftEar.x - ear.0).magnitude < 0.01)
    #expect((face.keyPoints.leftEar.y - ear.1).magnitude < 0.01)
  }

  @Test func detectionUpdatesScoreAndEars() {
    var face = TestFace.at(100, 100)
    let other = TestFace.at(103, 100, score: 0.4)
    face.update(other)
    #expect(face.score == 0.4 && face.keyPoints.leftEar == other.keyPoints.leftEar)
    #expect(face.frame == TestFace.at(100, 100).frame)
    #expect(face.keyPoints.mouth == TestFace.at(100, 100).keyPoints.mouth)
  }
}
