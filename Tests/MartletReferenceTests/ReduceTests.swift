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

  /// The extrema of rows of three, over the last axis, or over the first one of the transposed rows.
  private func extrema(
    _ rows: [[Float]], isMaximum: Bool, overFirstAxis: Bool
  ) -> [Float] {
    let count = rows.count
    let x = overFirstAxis ? (0..<3).flatMap { i in rows.map { $0[i] } } : rows.flatMap { $0 }
    let walk =
      overFirstAxis
      ? Broadcast([Shape(1, count)], over: Shape(3, count))
      : Broadcast([Shape(count, 1)], over: Shape(count, 3))
    return combined(x, [UInt8](), count, of: Float(9)) { x, _, y in
      isMaximum ? Reference.maximum(x, walk, into: y) : Reference.minimum(x, walk, into: y)
    }
  }

  @Test(arguments: [true, false])
  func extremaKeepInfinityAndIgnoreNaN(overFirstAxis: Bool) {
    let (nan, inf) = (Float.nan, Float.infinity)
    let rows: [[Float]] = [
      [-inf, -inf, -inf], [inf, inf, inf], [nan, 1, 2], [1, nan, -inf], [3, 2, nan],
    ]
    #expect(
      extrema(rows, isMaximum: true, overFirstAxis: overFirstAxis) == [-inf, inf, 2, 1, 3])
    #expect(
      extrema(rows, isMaximum: false, overFirstAxis: overFirstAxis) == [-inf, inf, 1, -inf, 2])
    for isMaximum in [true, false] {
      let found = extrema(
        [[nan, nan, nan], [0, 0, 0]], isMaximum: isMaximum, overFirstAxis: overFirstAxis)
      #expect(found[0].isNaN && found[1] == 0)
    }
  }

  @Test func extremaOfNoElementsAreInfinite() {
    let walk = Broadcast([Shape(2, 1)], over: Shape(2, 0))
    let most = combined([Float](), [UInt8](), 2, of: Float(9)) { x, _, y in
      Reference.maximum(x, walk, into: y)
    }
    let least = combined([Float](), [UInt8](), 2, of: Float(9)) { x, _, y in
      Reference.minimum(x, walk, into: y)
    }
    #expect(most == [-.infinity, -.infinity])
    #expect(least == [.infinity, .infinity])
  }

  @Test func emptyReductionsReturnTheInitialValue() {
    let walk = Broadcast([Shape(2, 1)], over: Shape(2, 0))
    let found = combined([Float](), [UInt8](), 2, of: Float(9)) { x, _, y in
      Reference.reduce(x, walk, from: Float(1), into: y) { $0 * $1 }
    }
    #expect(found == [1, 1])
  }
}
