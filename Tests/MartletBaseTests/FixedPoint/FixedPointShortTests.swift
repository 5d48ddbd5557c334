import Foundation
import Testing

@testable import MartletBase

@Suite struct FixedPointShortTests {
  @Test func logisticIsCloseToExactValueEverywhere() {
    for x in Int16.min...Int16.max {
      let exact = 1 / (1 + exp(-Double(x) / 0x1p12)) * 0x1p15
      #expect(abs(Double(FixedPoint.logistic(x)) - exact) < 12, "\(x)")
    }
  }

  @Test(arguments: [Int16](0...6))
  func tanhIsCloseToExactValueEverywhere(_ bits: Int16) {
    for x in Int16.min...Int16.max {
      let exact = tanh(Double(x) / pow(2, 15 - Double(bits))) * 0x1p15
      #expect(abs(Double(FixedPoint.tanh(x, bits: bits)) - exact) < 26, "\(x)")
    }
  }

  /// σ(x) + σ(-x) = 1 and tanh(-x) = -tanh(x), exactly.
  @Test func functionsAreSymmetric() {
    for x in Int16(1)...Int16.max {
      let sum = FixedPoint.logistic(x) + FixedPoint.logistic(-x)
      #expect(sum == Int16.max)
      let opposite = 0 - FixedPoint.tanh(-x, bits: 3)
      #expect(FixedPoint.tanh(x, bits: 3) == opposite)
    }
  }

  @Test(arguments: [
    (Int16(5), Int32(1), Int16(3)), (-5, 1, -3), (5, 2, 1), (-6, 2, -2), (7, 3, 1), (3, 3, 0),
  ])
  func shiftsRoundTiesAwayFromZero(_ value: Int16, _ shift: Int32, _ expected: Int16) {
    #expect(FixedPoint.shiftRight(value, by: shift) == expected)
  }

  @Test func saturatesOnOverflow() {
    #expect(FixedPoint.multiply(Int16.min, Int16.min) == Int16.max)
    #expect(FixedPoint.multiply(Int16(16384), Int16(16384)) == Int16(8192))
    #expect(FixedPoint.saturatingShiftLeft(Int16(9000), by: 2) == Int16.max)
    #expect(FixedPoint.saturatingShiftLeft(Int16(-9000), by: 2) == Int16.min)
    #expect(FixedPoint.saturatingShiftLeft(Int16(8191), by: 2) == 32764)
    #expect(FixedPoint.saturatingShiftLeft(Int16(-8191), by: 2) == -32764)
  }
}
