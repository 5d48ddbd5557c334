import MartletImage
import Testing

@testable import MartletVision

@Suite struct FaceCropTests {
  static let crops = [
    FaceCrop(center: Point(x: 100, y: 50), side: 80, across: [1, 0]),
    FaceCrop(center: Point(x: 100, y: 50), side: 80, across: [0.6, 0.8]),
    FaceCrop(center: Point(x: -30, y: 500), side: 7, across: [-0.8, 0.6]),
  ]

  private func isNear(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ tolerance: Float = 1e-3) -> Bool {
    (0..<3).allSatisfy { (a[$0] - b[$0]).magnitude < tolerance }
  }

  @Test(arguments: crops)
  func imageAndCropCoordinatesRoundTrip(_ crop: FaceCrop) {
    for point in [SIMD3<Float>(0, 0, 0), [1, 0, 0.1], [0.25, 0.75, -0.3], [2, -1, 1]] {
      #expect(isNear(crop.crop(crop.imagePoint(point)), point, 1e-4))
    }
    let center = crop.imagePoint([0.5, 0.5, 0])
    #expect(isNear(center, [crop.center.x, crop.center.y, 0]))
  }

  @Test func rotatedCropFollowsTheFace() {
    let crop = FaceCropTests.crops[1]
    #expect(isNear(crop.imagePoint([1, 0.5, 0]), [124, 82, 0]))
    #expect(isNear(crop.imagePoint([0.5, 0, 0.5]), [132, 26, 40]))
  }

  @Test func cropIsOneAndAHalfTimesTheFace() {
    var face = TestFace.at(100, 60, side: 40)
    face.frame.height = 50
    let crop = FaceCrop(around: face)
    #expect(crop.center == Point(x: 100, y: 65))
    #expect(crop.side == 75)
    #expect(crop.across == [1, 0])
  }

  /// For each rotation of the face the eyes are level in the crop, and the mouth is below them.
  @Test(arguments: [0, 20, -35, 90, 179, -120] as [Double])
  func faceIsUprightInItsCrop(_ roll: Double) {
    let center = Point(x: 200, y: 150)
    let points = CanonicalFace.keyPoints.map { point in
      let projected = TestFace.projected(point, 0, 0, roll, 60, center)
      return Point(x: projected.x, y: projected.y)
    }
    guard let keyPoints = FaceKeyPoints(points) else { return }
    let frame = Box(center: center, width: 100, height: 100)
    let crop = FaceCrop(
      around: DetectedFace(frame: frame, score: 1, keyPoints: keyPoints))
    func place(_ point: Point) -> SIMD3<Float> { crop.crop([point.x, point.y, 0]) }
    let (right, left) = (place(keyPoints.rightEye), place(keyPoints.leftEye))
    #expect((right.y - left.y).magnitude < 1e-4 && right.x < left.x)
    #expect(place(keyPoints.mouth).y > right.y)
  }

  @Test(arguments: [0, 25, -70] as [Double])
  func cropAroundMeshFollowsItsRotation(_ roll: Double) {
    let center = Point(x: 200, y: 150)
    let mesh = TestFace.mesh(turned: 0, 0, roll, at: center)
    let crop = FaceCrop(around: mesh)
    let inside = mesh.points.map { crop.crop($0) }
    let (low, high) = inside.reduce((inside[0], inside[0])) {
      (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
    }
    #expect(((low + high) / 2 - 0.5).x.magnitude < 1e-4)
    #expect(((low + high) / 2 - 0.5).y.magnitude < 1e-4)
    #expect((max(high.x - low.x, high.y - low.y) - 1 / 1.5).magnitude < 1e-4)
    #expect(crop.leftEye(of: mesh).side == crop.side * 0.2)
    let (eye, right) = (crop.leftEye(of: mesh).center, crop.rightEye(of: mesh).center)
    #expect(crop.crop([eye.x, eye.y, 0]).x > 0.5 && crop.crop([right.x, right.y, 0]).x < 0.5)
    let smile = crop.smile(of: mesh)
    #expect(smile.side == crop.side * 0.6 && smile.across == crop.across)
    #expect((crop.crop([smile.center.x, smile.center.y, 0]).x - 0.5).magnitude < 1e-3)
  }

  @Test(arguments: [Float.nan, .infinity, 0])
  func coincidentEyesLeaveTheCropUpright(_ value: Float) throws {
    let point = Point(x: value, y: value)
    let points = try #require(FaceKeyPoints([Point](repeating: point, count: 6)))
    let frame = Box(x: 0, y: 0, width: 10, height: 10)
    let face = DetectedFace(frame: frame, score: 1, keyPoints: points)
    #expect(FaceCrop(around: face).across == [1, 0])
  }
}
