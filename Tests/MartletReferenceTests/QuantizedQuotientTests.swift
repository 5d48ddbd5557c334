import MartletBase
import MartletReference
import Testing

/// Compares results with real arithmetic. The operator cases check equality with LiteRT.
@Suite struct QuantizedQuotientTests {
  private let a = Quantization(scale: 0.0173, zeroPoint: 100)
  private let b = Quantization(scale: 0.0294, zeroPoint: 90)
  private let y = Quantization(scale: 0.05, zeroPoint: 128)

  @Test func dividesRealValues() {
    let quotient = QuantizedQuotient(a, b, to: y, range: 0...255)
    for left in stride(from: 0, through: 255, by: 5) {
      for right in stride(from: 0, through: 255, by: 3) where right != 90 {
        let real =
          Double(a.scale) * Double(left - 100) / (Double(b.scale) * Double(right - 90))
        let expected = min(max(real / Double(y.scale) + 128, 0), 255)
        let found = Double(quotient(Int32(left), Int32(right)))
        #expect((found - expected).magnitude <= 0.51, "\(left), \(right)")
      }
    }
  }

  @Test func saturatesIfTheDivisorIsZero() {
    let quotient = QuantizedQuotient(a, b, to: y, range: 10...250)
    #expect(quotient(101, 90) == 250)
    #expect(quotient(99, 90) == 10)
    #expect(quotient(100, 90) == 128)
  }

  @Test func invalidScalesDoNotTrap() {
    for scale: Float in [0, -1, .nan, .infinity, 1e-38, 1e38] {
      let useless = Quantization(scale: scale, zeroPoint: Int.max)
      let quotient = QuantizedQuotient(useless, b, to: useless, range: 0...255)
      #expect((0...255).contains(quotient(255, 0)))
    }
  }
}
