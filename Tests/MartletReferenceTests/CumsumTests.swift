import MartletReference
import Testing

@Suite struct CumsumTests {
  private func sums(
    _ x: [Int32], depth: Int, inner: Int, isExclusive: Bool = false, isReversed: Bool = false
  ) -> [Int32] {
    combined(x, [UInt8](), x.count, of: Int32(-7)) { x, _, y in
      Reference.cumsum(
        x, depth: depth, inner: inner, isExclusive: isExclusive, isReversed: isReversed, zero: 0,
        into: y)
    }
  }

  @Test func sumsAlongTheLastAxis() {
    let x: [Int32] = [1, 2, 3, 4, 5, 6]
    #expect(sums(x, depth: 3, inner: 1) == [1, 3, 6, 4, 9, 15])
    #expect(sums(x, depth: 3, inner: 1, isExclusive: true) == [0, 1, 3, 0, 4, 9])
    #expect(sums(x, depth: 3, inner: 1, isReversed: true) == [6, 5, 3, 15, 11, 6])
    #expect(
      sums(x, depth: 3, inner: 1, isExclusive: true, isReversed: true) == [5, 3, 0, 11, 6, 0])
  }

  @Test func sumsAlongAnOuterAxis() {
    let x: [Int32] = [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(sums(x, depth: 2, inner: 2) == [1, 2, 4, 6, 5, 6, 12, 14])
    #expect(
      sums(x, depth: 2, inner: 2, isExclusive: true, isReversed: true)
        == [3, 4, 0, 0, 7, 8, 0, 0])
  }

  @Test func wrapsAround() {
    #expect(sums([.max, 1], depth: 2, inner: 1) == [.max, .min])
  }

  @Test func keepsEmptyTensors() {
    #expect(sums([], depth: 0, inner: 3).isEmpty)
    #expect(sums([], depth: 3, inner: 0).isEmpty)
  }
}
