import MartletBase
import MartletReference
import Testing

@Suite struct ComparisonTests {
  private let walk = Broadcast([Shape(4), Shape(4)], over: Shape(4))

  @Test(
    arguments: zip(
      Relation.allCases,
      [
        [false, true, false, false], [true, false, true, true], [true, false, false, false],
        [true, true, false, false], [false, false, true, false], [false, true, true, false],
      ]))
  func comparesFloatsAndNaN(_ relation: Relation, _ expected: [Bool]) {
    let found = combined([1, 2, 3, Float.nan], [2, 2, 2, 2], 4, of: false) {
      Reference.compare($0, relation, $1, walk, into: $2)
    }
    #expect(found == expected)
  }

  @Test func comparesRealValues() {
    // 0.5 · (x − 10) against 0.25 · x.
    let a = QuantizedValue(Quantization(scale: 0.5, zeroPoint: 10))
    let b = QuantizedValue(Quantization(scale: 0.25, zeroPoint: 0))
    let left: [UInt8] = [12, 12, 12, 0]
    let right: [UInt8] = [4, 5, 3, 0]
    #expect(
      combined(left, right, 4, of: false) {
        Reference.compare($0, a, .equal, $1, b, walk, into: $2)
      } == [true, false, false, false])
    #expect(
      combined(left, right, 4, of: false) {
        Reference.compare($0, a, .less, $1, b, walk, into: $2)
      } == [false, true, false, true])
  }

  @Test func returnsTheLargerOrSmaller() {
    let a: [Int8] = [-128, 5, 127, 0]
    let b: [Int8] = [127, -5, 127, -1]
    #expect(
      combined(a, b, 4, of: 0) { Reference.maximum($0, $1, walk, into: $2) } == [127, 5, 127, 0])
    #expect(
      combined(a, b, 4, of: 0) { Reference.minimum($0, $1, walk, into: $2) }
        == [-128, -5, 127, -1])
  }

  @Test func selectsWithBroadcasting() {
    let shape = Shape(2, 2)
    let walk = Broadcast([Shape(2, 1), shape, Shape(2)], over: shape)
    let chosen = combined([true, false], [Int16(1), 2, 3, 4], 4, of: Int16(0)) {
      condition, a, y in
      let b: [Int16] = [8, 9]
      b.withUnsafeBufferPointer { b in
        guard let a = a.baseAddress, let b = b.baseAddress, let y = y.baseAddress else { return }
        Reference.select(condition, a, b, walk, into: y)
      }
    }
    #expect(chosen == [1, 2, 8, 9])
  }
}
