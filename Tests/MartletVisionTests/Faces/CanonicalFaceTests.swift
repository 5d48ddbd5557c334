import Testing

@testable import MartletVision

@Suite struct CanonicalFaceTests {
  @Test func hasAllVerticesAndSixKeyPoints() {
    #expect(CanonicalFace.points.count == FaceMesh.pointCount)
    #expect(CanonicalFace.keyPoints.count == 6)
    #expect(Set(CanonicalFace.rigid).count == CanonicalFace.rigid.count)
    #expect(CanonicalFace.rigid.allSatisfy { CanonicalFace.points.indices.contains($0) })
  }

  @Test func isSymmetric() {
    let points = CanonicalFace.keyPoints
    for (right, left) in [(points[0], points[1]), (points[4], points[5])] {
      #expect(right == left * [-1, 1, 1])
    }
    #expect(points[2].x == 0 && points[3].x == 0)
    #expect(points[1].x - points[0].x == 1)
    for places in [CanonicalFace.points, CanonicalFace.rigid.map { CanonicalFace.points[$0] }] {
      let all = Set(places)
      #expect(all.allSatisfy { all.contains($0 * [-1, 1, 1]) })
    }
  }

  @Test func keyPointsMatchItsVertices() {
    #expect(CanonicalFace.keyPoints[2] == CanonicalFace.points[4])
    let rim = FaceMesh.vertices(of: FaceContourType.leftEye).map { CanonicalFace.points[$0] }
    let middle = rim.reduce(.zero, +) / Float(rim.count)
    let apart = middle - CanonicalFace.keyPoints[1]
    #expect((apart * apart).sum() < 1e-6)
  }
}
