//===--- ShortScalingTests.swift ------------------------------------------===//

import Testing

@testable import MartletCompiler

@Suite struct ShortScalingTests {
  /// Sums over the whole range, against the product in double precision.
  @Test(arguments: [0.001234, 0.0078125, 0x1p-12, 0.0371, 0.00003061])
  func longRoundingAgreesWithDoublePrecision(_ factor: Double) throws {
    let integers = try #require(LongRounding(factor, reach: 0x1p30)).integers
    let wide = Int64(integers[0]) << 32 | Int64(UInt32(bitPattern: integers[2]))
    let shift = Int64(integers[1] - 32)
    for sum in stride(from: Int32.min, to: Int32.max - 99_991, by: 99_991) {
      let product = wide.multipliedFullWidth(by: Int64(sum))
      let tie: Int64 = sum < 0 && product.low == 0 ? 1 : 0
      let found = (product.high + (1 << (shift - 1)) - tie) >> shift
      guard found == Int64((Double(sum) * factor).rounded()) else {
        Issue.record("sum \(sum): \(found)")
        return
      }
    }
  }

  @Test(arguments: [0.125, 1, 0x1p-40, .infinity, .nan])
  func refusesFactorsOutOfRange(_ factor: Double) {
    #expect(LongRounding(factor, reach: 0x1p30) == nil)
  }

  /// 2²⁹ - 2 times the factor is 0.5 less 2⁻⁵⁷, which double precision rounds to 0.5, a tie.
  @Test func refusesFactorsWithASumThatDoublePrecisionMakesATie() {
    let factor = 0x1.0000001p-30
    #expect(Double(1 << 29 - 2) * factor == 0.5)
    #expect(LongRounding(factor, reach: 0x1p30) == nil)
  }

  @Test(arguments: [(1 / 32768 as Float, true), (3.0518502e-05, true), (0.00037, false)])
  func recognizesPowersOfTwo(_ scale: Float, _ expected: Bool) {
    #expect(ShortScaling.isPowerOfTwo(scale) == expected)
  }
}
