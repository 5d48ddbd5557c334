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
    let apart = [(angles.x, turn.x), (angles.y, turn.y), (angles.z, turn.z)].map { found, asked in
      let way = (Double(found) - asked).magnitude
      return min(way, 360 - way)
    }
    return apart.allSatisfy { $0 < 0.01 }
  }

  @Test(arguments: turns)
  func findsRotationOfMesh(_ turn: (x: Double, y: Double, z: Double)) {
    for (scale, middle) in [(60, Point(x: 100, y: 80)), (900, Point(x: -20, y: 3000))] {
      let mesh = TestFace.mesh(turned: turn.x, turn.y, turn.z, scale: Double(scale), at: middle)
      #expect(isNear(HeadEulerAngles(mesh), turn), "\(HeadEulerAngles(mesh) as Any)")
    }
  }

  @Test(arguments: turns)
  func findsRotationOfKeyPoints(_ turn: (x: Double, y: Double, z: Double)) throws {
    let points = CanonicalFace.keyPoints.map { place in
      let seen = TestFace.seen(place, turn.x, turn.y, turn.z, 50, Point(x: 70, y: 90))
      return Point(x: seen.x, y: seen.y)
    }
    #expect(isNear(HeadEulerAngles(try #require(FaceKeyPoints(points))), turn))
  }

  /// The head's axes, as the image shows them: those of the canonical face's directions.
  @Test(arguments: turns)
  func rotationRowsMatchTheAngles(_ turn: (x: Double, y: Double, z: Double)) {
    let rows = HeadEulerAngles(x: Float(turn.x), y: Float(turn.y), z: Float(turn.z)).rows
    for axis in 0..<3 {
      var direction = SIMD3<Float>.zero
      direction[axis] = 1
      let seen = TestFace.seen(direction, turn.x, turn.y, turn.z, 1, Point(x: 0, y: 0))
      #expect((rows.across[axis] - seen.x).magnitude < 1e-5)
      #expect((rows.up[axis] + seen.y).magnitude < 1e-5)
    }
  }

  /// What one sees: a face that is turned up has its nose and mouth higher and its ears lower, one turned to
  /// the right of the image has them moved that way, one tilted counter-clockwise has its left side higher.
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
