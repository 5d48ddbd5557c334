import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct BucketizeTests {
  private func buckets(_ x: [Float], _ boundaries: [Float]) -> [Int32] {
    filled(x.count, with: -1) { y in
      withBuffer(x) { Reference.bucketize($0, boundaries: boundaries, into: y, <) }
    }
  }

  @Test(arguments: [[], [1], [0, 2, 2, 5], [-1, 0, 1, 2, 3, 4, 5]])
  func countsBoundariesThatAreNotGreater(_ boundaries: [Float]) {
    let x: [Float] = [-10, -1, 0, 0.5, 2, 2.5, 5, 6, .infinity]
    #expect(
      buckets(x, boundaries) == x.map { x in Int32(boundaries.count { $0 <= x }) })
  }

  @Test func noBoundaryIsGreaterThanNaN() {
    #expect(buckets([.nan], [0, 1]) == [2])
  }
}
