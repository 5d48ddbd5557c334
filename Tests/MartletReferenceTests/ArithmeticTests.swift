import MartletBase
import MartletReference
import Testing

@Suite struct ArithmeticTests {
  private let walk = Broadcast([Shape(4), Shape(4)], over: Shape(4))

  @Test func wrapsIntegers() {
    let a: [Int32] = [.max, .min, 7, -7]
    let b: [Int32] = [1, 1, 3, 3]
    let all = Int32.min...Int32.max
    #expect(
      combined(a, b, 4, of: 0) { Reference.add($0, $1, walk, range: all, into: $2) }
        == [.min, .min + 1, 10, -4])
    #expect(
      combined(a, b, 4, of: 0) { Reference.subtract($0, $1, walk, range: all, into: $2) }
        == [.max - 1, .max, 4, -10])
    #expect(
      combined(a, b, 4, of: 0) { Reference.multiply($0, $1, walk, range: all, into: $2) }
        == [.max, .min, 21, -21])
    #expect(
      combined(a, b, 4, of: 0) { Reference.squaredDifference($0, $1, walk, into: $2) }
        == [4, 1, 16, 100])
  }

  @Test func dividesTowardsZeroWithoutTrapping() {
    let a: [Int32] = [.min, -7, 7, 0]
    let b: [Int32] = [-1, 2, -2, 5]
    let all = Int32.min...Int32.max
    #expect(
      combined(a, b, 4, of: 0) { Reference.divide($0, $1, walk, range: all, into: $2) }
        == [.min, -3, -3, 0])
  }

  @Test func clampsFloatsAndKeepsNaN() {
    let a: [Float] = [-3, 5, .nan, .infinity]
    let b: [Float] = [1, 2, 0, 0]
    let sums = combined(a, b, 4, of: 0) { Reference.add($0, $1, walk, range: 0...6, into: $2) }
    #expect(sums[0] == 0 && sums[1] == 6 && sums[2].isNaN && sums[3] == 6)
  }
}
