import MartletImage
import Testing

@testable import MartletVision

@Suite struct FaceMeshTests {
  /// Vertex n is at (n, 2n).
  let counted = TestFace.mesh { [Float($0), Float(2 * $0), 0] }
  let upright = TestFace.mesh(turned: 0, 0, 0, at: Point(x: 100, y: 100))

  @Test(arguments: [0, 1, 467, 469, 478])
  func rejectsOtherPointCounts(_ count: Int) {
    #expect(FaceMesh([SIMD3<Float>](repeating: .zero, count: count)) == nil)
  }

  @Test func boxEnclosesAllPoints() {
    #expect(counted.box == Box(x: 0, y: 0, width: 467, height: 934))
  }

  @Test func contoursConsistOfTheirVertices() {
    #expect(counted.contour(.noseBridge) == [Point(x: 168, y: 336), Point(x: 1, y: 2)])
    #expect(counted.contour(.leftCheek) == [Point(x: 425, y: 850)])
    #expect(counted.contour(.noseBottom).first == Point(x: 2, y: 4))
  }

  @Test func outlineStartsAtTopAndRunsClockwise() {
    let outline = FaceMesh.vertices(of: FaceContourType.face)
    #expect([0, 8, 18, 28].map { outline[$0] } == [10, 454, 152, 234])
    let (top, right, bottom, left) = (
      upright.place(10), upright.place(454), upright.place(152), upright.place(234)
    )
    #expect(top.y < right.y && right.y < bottom.y && top.y < left.y && left.y < bottom.y)
    #expect(left.x < top.x && top.x < right.x && left.x < bottom.x && bottom.x < right.x)
  }

  @Test func eyeContoursStartAtTheLeftInTheImage() {
    for (type, first, opposite) in [
      (FaceContourType.leftEye, 362, 263), (.rightEye, 33, 133),
    ] {
      let eye = FaceMesh.vertices(of: type)
      #expect(eye[0] == first && eye[8] == opposite)
      #expect(upright.place(first).x < upright.place(opposite).x)
    }
  }

  @Test func lipsRunFromRightToLeftCorner() {
    let top = FaceMesh.vertices(of: FaceContourType.upperLipTop)
    #expect(top.first == 61 && top.last == 291)
    #expect(upright.place(61).x < upright.place(291).x)
    #expect(upright.place(0).y < upright.place(17).y)
  }

  @Test func leftIsTheSubjectsLeft() {
    for (left, right) in [
      (FaceLandmarkType.mouthLeft, FaceLandmarkType.mouthRight), (.leftCheek, .rightCheek),
      (.leftEar, .rightEar),
    ] {
      #expect(upright.landmark(left).x > upright.landmark(right).x, "\(left)")
    }
  }

  @Test func eyesAreTheCentersOfTheirContours() {
    for (landmark, contour) in [
      (FaceLandmarkType.leftEye, FaceContourType.leftEye), (.rightEye, .rightEye),
    ] {
      let rim = counted.contour(contour)
      let mean = rim.reduce(0) { $0 + $1.x } / Float(rim.count)
      #expect((counted.landmark(landmark).x - mean).magnitude < 1e-3)
    }
    #expect(counted.landmark(.noseBase) == Point(x: 2, y: 4))
    #expect(counted.mouth == Point(x: 13.5, y: 27))
  }

  @Test func zeroOffsetsYieldTheCanonicalFace() throws {
    let crop = FaceCrop(center: Point(x: 100, y: 60), side: 90, across: [0, 1])
    let mesh = try #require(
      FaceMesh(
        offsets: [Float](repeating: 0, count: 936), depths: [Float](repeating: 0, count: 468),
        in: crop))
    // The mesh has the size of a face in its crop and lies in its center.
    let around = FaceCrop(around: mesh)
    #expect((around.side - 90).magnitude < 1e-3)
    #expect((around.center.x - 100).magnitude < 1e-3 && (around.center.y - 60).magnitude < 1e-3)
    #expect((around.across.x).magnitude < 1e-3 && (around.across.y - 1).magnitude < 1e-3)
    #expect((mesh.points.reduce(0) { $0 + $1.z } / 468).magnitude < 1e-3)
    // The tip of the nose is closer to the viewer than the ears.
    #expect(mesh.points[4].z < mesh.points[234].z)
    let angles = try #require(HeadEulerAngles(mesh))
    #expect(angles.x.magnitude < 0.01 && angles.y.magnitude < 0.01)
    #expect((angles.z + 90).magnitude < 0.01)
  }

  @Test func offsetsAreRelativeToTheCrop() throws {
    let crop = FaceCrop(center: Point(x: 100, y: 60), side: 90, across: [1, 0])
    var (offsets, depths) = ([Float](repeating: 0, count: 936), [Float](repeating: 0, count: 468))
    let before = try #require(FaceMesh(offsets: offsets, depths: depths, in: crop))
    (offsets[20], offsets[21], depths[10]) = (0.1, -0.2, 0.3)
    let after = try #require(FaceMesh(offsets: offsets, depths: depths, in: crop))
    let difference = after.points[10] - before.points[10] - [9, -18, 27]
    #expect((difference * difference).sum() < 1e-6)
    #expect(after.points[11] == before.points[11])
  }

  @Test(arguments: [(935, 468), (936, 467), (938, 468), (936, 469), (0, 0)])
  func rejectsOtherOutputCounts(_ offsets: Int, _ depths: Int) {
    let crop = FaceCrop(center: Point(x: 0, y: 0), side: 1, across: [1, 0])
    #expect(
      FaceMesh(
        offsets: [Float](repeating: 0, count: offsets),
        depths: [Float](repeating: 0, count: depths), in: crop) == nil)
  }
}
