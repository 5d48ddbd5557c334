import Testing

@testable import MartletVision

@Suite struct FaceContourTypeTests {
  /// ML Kit's constants in the order of its header, with their point counts.
  static let table = [
    ("face", 36), ("leftEyebrowTop", 5), ("leftEyebrowBottom", 5), ("rightEyebrowTop", 5),
    ("rightEyebrowBottom", 5), ("leftEye", 16), ("rightEye", 16), ("upperLipTop", 11),
    ("upperLipBottom", 9), ("lowerLipTop", 9), ("lowerLipBottom", 9), ("noseBridge", 2),
    ("noseBottom", 3), ("leftCheek", 1), ("rightCheek", 1),
  ]

  @Test func namesAndCountsMatchMLKit() {
    let types = FaceContourType.allCases
    #expect(types.map(\.rawValue) == FaceContourTypeTests.table.map { $0.0 })
    #expect(
      types.map { FaceMesh.vertices(of: $0).count } == FaceContourTypeTests.table.map { $0.1 })
  }

  @Test func hasExactly133Points() {
    let vertices = FaceContourType.allCases.flatMap { FaceMesh.vertices(of: $0) }
    #expect(vertices.count == 133)
    #expect(Set(vertices).count == 133)
    #expect(vertices.allSatisfy { (0..<FaceMesh.pointCount).contains($0) })
  }
}
