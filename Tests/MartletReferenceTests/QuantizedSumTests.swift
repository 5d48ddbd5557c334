import MartletBase
import MartletReference
import Testing

/// Compares results with real arithmetic. The operator cases check equality with LiteRT.
@Suite struct QuantizedSumTests {
  private let a = Quantization(scale: 0.0173, zeroPoint: 5)
  private let b = Quantization(scale: 0.0094, zeroPoint: -13)

  private func expectNear(
    _ kind: QuantizedSum.Kind, extraBits: Int32, to y: Quantization,
    _ real: (Double, Double) -> Double
  ) {
    let sum = QuantizedSum(kind, a, b, to: y, extraBits: extraBits, range: -128...127)
    for left in stride(from: -128, through: 127, by: 5) {
      for right in stride(from: -128, through: 127, by: 7) {
        let x = Double(a.scale) * Double(left - a.zeroPoint)
        let z = Double(b.scale) * Double(right - b.zeroPoint)
        let steps = real(x, z) / Double(y.scale) + Double(y.zeroPoint)
        let expected = min(max(steps, -128), 127)
        let found = Double(sum(Int32(left), Int32(right)))
        #expect((found - expected).magnitude <= 0.51, "\(left), \(right)")
      }
    }
  }

  @Test func addsOnACommonScale() {
    expectNear(.sum, extraBits: 20, to: Quantization(scale: 0.021, zeroPoint: 3)) { $0 + $1 }
  }

  @Test func subtractsOnACommonScale() {
    expectNear(.difference, extraBits: 20, to: Quantization(scale: 0.021, zeroPoint: 3)) { $0 - $1 }
  }

  @Test func squaresTheDifference() {
    let y = Quantization(scale: 0.05, zeroPoint: -128)
    let sum = QuantizedSum(.squaredDifference, a, b, to: y, extraBits: 7, range: -128...127)
    // (0.0173 · (55 − 5) − 0.0094 · (27 + 13))² = 0.489²; 0.2391 / 0.05 = 4.78.
    #expect(sum(55, 27) == -123)
    #expect(sum(5, -13) == -128)
  }

  @Test func clampsToTheActivationRange() {
    let y = Quantization(scale: 0.021, zeroPoint: 3)
    let sum = QuantizedSum(.sum, a, b, to: y, extraBits: 20, range: 3...20)
    #expect(sum(-128, -128) == 3)
    #expect(sum(127, 127) == 20)
  }

  @Test func invalidScalesDoNotTrap() {
    for scale: Float in [0, -1, .nan, .infinity] {
      let useless = Quantization(scale: scale, zeroPoint: Int.max)
      let sum = QuantizedSum(
        .difference, useless, useless, to: useless, extraBits: 20, range: -128...127)
      #expect((-128...127).contains(sum(127, -128)))
    }
  }
}
