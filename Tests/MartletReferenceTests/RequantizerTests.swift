import Testing

@testable import MartletBase

@testable import MartletReference

@Suite struct RequantizerTests {
  /// factor, sum, and the product rounded twice by hand: 0.3 is 1288490189 · 2⁻³².
  @Test(arguments: [
    (0.3, 10, 3), (0.3, -10, -3), (0.5, 3, 2), (0.5, -3, -1), (4, 7, 28), (0.001, 499, 0),
  ])
  func scalesThirtyTwoBits(_ c: (factor: Double, sum: Int, expected: Int)) {
    let multiplier = FixedPointMultiplier(c.factor)
    #expect(multiplier(Int32(c.sum)) == Int32(c.expected))
  }

  @Test(arguments: [(0.5, 3, 2), (0.5, -3, -1), (0.25, 1 << 40, 1 << 38), (2, 5, 10)])
  func scalesSixtyFourBits(_ c: (factor: Double, sum: Int, expected: Int)) {
    let multiplier = FixedPointMultiplier(c.factor)
    #expect(multiplier(Int64(c.sum)) == Int32(truncatingIfNeeded: c.expected))
  }

  @Test func invalidScalesDoNotTrap() {
    for factor in [0, -1, .infinity, .nan, 1e-300, 1e300, Double(Int32.max)] {
      let multiplier = FixedPointMultiplier(factor)
      for value in [Int32.min, -1, 0, 1, Int32.max] { _ = multiplier(value) }
      for value in [Int64.min, -1, 0, 1, Int64.max] { _ = multiplier(value) }
    }
  }

  @Test func clampsBeyondThirtyTwoBits() {
    let requantizer = RealRequantizer(factors: [1e9], zeroPoint: 5, range: -128...127)
    #expect(requantizer(Int64.max, channel: 0) == 127)
    #expect(requantizer(Int64.min, channel: 0) == -128)
    #expect(requantizer(Int64(0), channel: 0) == 5)
  }
}
