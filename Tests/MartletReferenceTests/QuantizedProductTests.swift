import MartletBase
import MartletReference
import Testing

/// Compares results with real arithmetic. The operator cases check equality with LiteRT.
@Suite struct QuantizedProductTests {
  private let a = Quantization(scale: 0.0173, zeroPoint: 5)
  private let b = Quantization(scale: 0.0094, zeroPoint: -13)
  private let y = Quantization(scale: 0.016, zeroPoint: 7)

  @Test func multipliesRealValues() {
    let product = QuantizedProduct(a, b, to: y, range: -128...127)
    for left in stride(from: -128, through: 127, by: 5) {
      for right in stride(from: -128, through: 127, by: 7) {
        let real =
          Double(a.scale) * Double(left - 5) * Double(b.scale) * Double(right + 13)
        let expected = min(max(real / Double(y.scale) + 7, -128), 127)
        let found = Double(product(Int32(left), Int32(right)))
        #expect((found - expected).magnitude <= 0.51, "\(left), \(right)")
      }
    }
  }

  @Test func invalidScalesDoNotTrap() {
    for scale: Float in [0, -1, .nan, .infinity] {
      let useless = Quantization(scale: scale, zeroPoint: Int.min)
      let product = QuantizedProduct(useless, useless, to: useless, range: -128...127)
      #expect((-128...127).contains(product(127, -128)))
    }
  }
}
