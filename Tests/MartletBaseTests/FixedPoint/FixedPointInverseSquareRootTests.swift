import MartletBase
import Testing

@Suite struct FixedPointInverseSquareRootTests {
  @Test(arguments: [2, 3, 4, 10, 127, 128, 255, 65025, 1 << 20, 1 << 29, Int32.max])
  func isCloseToExactRoot(_ value: Int32) {
    let factor = FixedPointMultiplier.inverseSquareRoot(of: value)
    var real = Double(factor.mantissa) / 0x1p31
    for _ in 0..<(-factor.shift) { real /= 2 }
    let expected = 1 / Double(value).squareRoot()
    // The error of five Newton steps from one for an argument of two.
    #expect((real / expected - 1).magnitude < 1.3e-6)
  }

  @Test func returnsOneForArgumentsUpToOne() {
    for value: Int32 in [1, 0, -5] {
      let factor = FixedPointMultiplier.inverseSquareRoot(of: value)
      #expect(factor.mantissa == Int32.max && factor.shift == 0)
    }
  }
}
