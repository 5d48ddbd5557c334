import MartletImage
import Testing

@testable import MartletVision

@Suite struct WeakPerspectiveTests {
  static let turns: [(x: Double, y: Double, z: Double)] = [
    (0, 0, 0), (20, 0, 0), (-20, 0, 0), (0, 30, 0), (0, -30, 0), (0, 0, 40), (0, 0, -40),
    (15, -25, 10), (-35, 60, -45), (0, 85, 0), (10, -80, 170), (0, 0, 180),
  ]

  private func isNear(
    _ angles: HeadEulerAngles?, _ turn: (x: Double, y: Double, z: Double)
  ) -> Bool {
    guard let angles else { return false }
    let errors = [(angles.x, turn.x), (angles.y, turn.y), (angles.z, turn.z)].map {
      (found, expected) in
      let difference = (Double(found) - expected).magnitude
      return min(difference, 360 - difference)
    }
    return errors.allSatisfy { $0 < 0.01 }
  }

  @Test(arguments: turns)
  func findsRotationOfMesh(_ turn: (x: Double, y: Double, z: Double)) {
    for (scale, center) in [(60, Point(x: 100, y: 80)), (900, Point(x: -20, y: 3000))] {
      let mesh = TestFace.mesh(turned: turn.x, turn.y, turn.z, scale: Double(scale), at: center)
      #expect(isNear(HeadEulerAngles(mesh), turn), "\(HeadEulerAngles(mesh) as Any)")
    }
  }

  @Test(arguments: turns)
  func findsRotationOfKeyPoints(_ turn: (x: Double, y: Double, z: Double)) throws {
    let points = CanonicalFace.keyPoints.map { point in
      let projected = TestFace.projected(point, turn.x, turn.y, turn.z, 50, Point(x: 70, y: 90))
      return Point(x: projected.x, y: projected.y)
    }
    #expect(isNear(HeadEulerAngles(try #require(FaceKeyPoints(points))), turn))
  }

  /// The head's axes in the image, compared with projected unit vectors.
  @Test(arguments: turns)
  func rotationRowsMatchTheAngles(_ turn: (x: Double, y: Double, z: Double)) {
    let rows = HeadEulerAngles(x: Float(turn.x), y: Float(turn.y), z: Float(turn.z)).rows
    for axis in 0..<3 {
      var direction = SIMD3<Float>.zero
      direction[axis] = 1
      let projected = TestFace.projected(direction, turn.x, turn.y, turn.z, 1, Point(x: 0, y: 0))
      #expect((rows.across[axis] - projected.x).magnitude < 1e-5)
      #expect((rows.up[axis] + projected.y).magnitude < 1e-5)
    }
  }

  /// Turning up raises nose and mouth and lowers the ears. Turning to the image's right moves nose
  /// and mouth right and the ears left. Tilting counterclockwise raises the left side.
  @Test func signsMatchMLKit() throws {
    let face = TestFace.keyPoints(100, 100, 80)
    let zero = try #require(HeadEulerAngles(face))
    #expect(zero.y.magnitude < 1e-4 && zero.z.magnitude < 1e-4)
    var up = face
    (up.noseTip.y, up.mouth.y) = (up.noseTip.y - 8, up.mouth.y - 4)
    (up.leftEar.y, up.rightEar.y) = (up.leftEar.y + 8, up.rightEar.y + 8)
    #expect(try #require(HeadEulerAngles(up)).x > zero.x + 5)
    var right = face
    (right.noseTip.x, right.mouth.x) = (right.noseTip.x + 8, right.mouth.x + 4)
    (right.leftEar.x, right.rightEar.x) = (right.leftEar.x - 8, right.rightEar.x - 8)
    #expect(try #require(HeadEulerAngles(right)).y > 5)
    var tilted = face
    (tilted.leftEye.y, tilted.rightEye.y) = (tilted.leftEye.y - 5, tilted.rightEye.y + 5)
    (tilted.leftEar.y, tilted.rightEar.y) = (tilted.leftEar.y - 12, tilted.rightEar.y + 12)
    #expect(try #require(HeadEulerAngles(tilted)).z > 5)
  }

  @Test(arguments: [Float.nan, .infinity, 0])
  func degeneratePointsHaveNoRotation(_ value: Float) {
    #expect(HeadEulerAngles(TestFace.mesh { _ in [value, value, 0] }) == nil)
    #expect(HeadEulerAngles(TestFace.mesh { [Float($0), Float($0), 0] + value }) == nil)
  }
}
