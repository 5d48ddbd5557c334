import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct TopKTests {
  private func topK<Scalar: Comparable>(
    _ x: [Scalar], row: Int, k: Int
  ) -> (values: [Scalar], indices: [Int32]) {
    var x = x
    let count = x.count / row * k
    var values = [Scalar](repeating: x[0], count: count)
    let indices = filled(count, with: Int32(-1)) { indices in
      x.withUnsafeMutableBufferPointer { x in
        values.withUnsafeMutableBufferPointer {
          Reference.topK(x, row: row, k: k, values: $0, indices: indices)
        }
      }
    }
    return (values, indices)
  }

  @Test func tiesGoToTheLowerIndex() {
    let found = topK([1, 3, 3, 2, 3, 0, 0, 0, 0, 0], row: 5, k: 4)
    #expect(found.values == [3, 3, 3, 2, 0, 0, 0, 0])
    #expect(found.indices == [1, 2, 4, 3, 0, 1, 2, 3])
  }

  @Test(arguments: [1, 2, 7, 63, 64])
  func equalsAStableSort(_ k: Int) {
    var random = SplitMix64(seed: 7)
    let x = (0..<64).map { _ in Int(random.next() % 10) }
    let order = (0..<64).sorted { (x[$1], $0) < (x[$0], $1) }
    #expect(topK(x, row: 64, k: k).indices == order.prefix(k).map { Int32($0) })
  }

  @Test func nanDoesNotTrap() {
    let found = topK([Float.nan, 1, .nan, 2, .nan], row: 5, k: 3)
    #expect(Set(found.indices).count == 3)
  }
}
