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

  static let nan = Float.nan
  static let inf = Float.infinity
  static let rows: [[Float]] = [
    [3, nan, 1, nan, 2], [nan, nan, nan, 1, nan], [1, nan, -inf, inf, nan, 0, -0.0],
    [nan, 5, nan, 4, nan, 3, nan, 2, nan, 1], [nan, nan, nan, nan],
  ]
  // Of LiteRT 2.3.0, all kernel sets.
  static let orders: [[Int32]] = [
    [0, 4, 2, 1, 3], [3, 0, 1, 2, 4], [3, 0, 5, 6, 2, 1, 4], [1, 3, 5, 7, 9, 0, 2, 4, 6, 8],
    [0, 1, 2, 3],
  ]

  @Test(arguments: zip(rows, orders))
  func nanFollowsAllNumbers(_ row: [Float], _ order: [Int32]) {
    for k in 1...row.count {
      let found = topK(row, row: row.count, k: k)
      #expect(found.indices == Array(order.prefix(k)))
      let expected = order.prefix(k).map { row[Int($0)].bitPattern }
      #expect(found.values.map(\.bitPattern) == expected)
    }
  }
}
