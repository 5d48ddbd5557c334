import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct TransformLandmarksTests {
  /// The third column and the lower rows have no effect.
  static let matrix: [Float] =
    [2, 3, .nan, 10, -1, 0.5, .nan, 20] + [Float](repeating: 9, count: 8)

  private func transform(_ points: [Float], dimensions: Int) -> [Float] {
    filled(points.count, with: Float.nan) { y in
      withBuffer(points) { points in
        withBuffer(TransformLandmarksTests.matrix) {
          Reference.transformLandmarks(points, dimensions: dimensions, by: $0, into: y)
        }
      }
    }
  }

  @Test func movesPointsOfThePlane() {
    #expect(transform([0, 0, 1, 2, -4, 8], dimensions: 2) == [10, 20, 18, 20, 26, 28])
  }

  @Test func keepsTheThirdCoordinate() {
    #expect(transform([1, 2, 7, 0, 0, -3], dimensions: 3) == [18, 20, 7, 10, 20, -3])
  }

  @Test func acceptsNoPoints() {
    #expect(transform([], dimensions: 3) == [])
  }
}
