import Foundation
import MartletBase
import MartletReference
import Testing

@Suite struct FloorDivisionTests {
  static let walk = Broadcast([Shape(1), Shape(1)], over: Shape(1))

  private func quotient(_ a: Int8, _ b: Int8) -> Int8 {
    combined([a], [b], 1, of: 99) {
      Reference.floorDivide($0, $1, FloorDivisionTests.walk, into: $2)
    }[0]
  }

  private func rest(_ a: Int8, _ b: Int8) -> Int8 {
    combined([a], [b], 1, of: 99) {
      Reference.floorRemainder($0, $1, FloorDivisionTests.walk, into: $2)
    }[0]
  }

  @Test func isExactForEveryPairOfBytes() {
    for a in Int8.min...Int8.max {
      for b in Int8.min...Int8.max where b != 0 {
        let floor = Int(Foundation.floor(Double(a) / Double(b)))
        let left: Int = Int(a) - floor * Int(b)
        #expect(quotient(a, b) == Int8(truncatingIfNeeded: floor))
        #expect(rest(a, b) == Int8(left))
      }
    }
  }

  @Test func minimumDividedByMinusOneIsMinimum() {
    #expect(quotient(-128, -1) == -128)
    #expect(rest(-128, -1) == 0)
  }

  @Test func remaindersOfFloatsHaveTheDivisorsSign() {
    let a: [Float] = [7, -7, 7, -7, 1, -1, -0.0]
    let b: [Float] = [3, 3, -3, -3, .infinity, .infinity, 2]
    let walk = Broadcast([Shape(7), Shape(7)], over: Shape(7))
    let found = combined(a, b, 7, of: Float.nan) {
      Reference.floorRemainder($0, $1, walk, into: $2)
    }
    #expect(found == [1, 2, -2, -1, 1, .infinity, -0.0])
  }

  @Test func dividesFloatsInDoublePrecision() {
    // In single precision 0.9 / 0.1 rounds to 9; the quotient of the two floats is below it.
    let found = combined([Float(0.9)], [Float(0.1)], 1, of: Float.nan) {
      Reference.floorDivide($0, $1, FloorDivisionTests.walk, into: $2)
    }
    #expect(found == [8])
  }
}
