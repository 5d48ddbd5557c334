import MartletBase
import MartletReference
import Testing

@Suite struct ReduceTests {
  /// The sums of 0, 1, 2... in [2, 3, 4] over the axes that have extent 1 in `kept`.
  private func sums(_ kept: [Int]) -> [Int32] {
    let walk = Broadcast([Shape(kept)], over: Shape(2, 3, 4))
    let count = kept.reduce(1, *)
    return combined((0..<24).map { Int16($0) }, [UInt8](), count, of: Int32(99)) { x, _, y in
      Reference.reduce(x, walk, from: 0, into: y) { $0 + Int32($1) }
    }
  }

  // Expected values: numpy.arange(24).reshape(2, 3, 4).sum(axis).
  @Test func combinesOverAnyAxes() {
    #expect(sums([2, 3, 1]) == [6, 22, 38, 54, 70, 86])
    #expect(sums([1, 3, 4]) == [12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34])
    #expect(sums([2, 1, 4]) == [12, 15, 18, 21, 48, 51, 54, 57])
    #expect(sums([1, 3, 1]) == [60, 92, 124])
    #expect(sums([1, 1, 1]) == [276])
    #expect(sums([2, 3, 4]) == (0..<24).map { Int32($0) })
  }

  @Test func emptyReductionsReturnTheInitialValue() {
    let walk = Broadcast([Shape(2, 1)], over: Shape(2, 0))
    let found = combined([Float](), [UInt8](), 2, of: Float(9)) { x, _, y in
      Reference.reduce(x, walk, from: Float(1), into: y) { $0 * $1 }
    }
    #expect(found == [1, 1])
  }
}
