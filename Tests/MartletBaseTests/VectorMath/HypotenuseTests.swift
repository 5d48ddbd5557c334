import Foundation
import MartletTestSupport
import Testing

@testable import MartletBase

@Suite struct HypotenuseTests {
  @Test func errorStaysWithinBoundForAllMagnitudes() {
    for exponent in stride(from: -1000, through: 1020, by: 19) {
      for step in 0...40 {
        let x = Double(sign: .plus, exponent: exponent, significand: 1.3)
        let y: Double = x * Double(-step) / 20
        let want: Double = Foundation.hypot(x, y)
        #expect(ulps(VectorMath.hypotenuse(x, y), from: want) <= 2, "\(x) \(y)")
      }
    }
  }

  @Test func prefersInfinityToNaN() {
    #expect(VectorMath.hypotenuse(Float.nan, -Float.infinity) == .infinity)
    #expect(VectorMath.hypotenuse(Float.nan, Float(1)).isNaN)
    #expect(VectorMath.hypotenuse(Float(0), Float(-0.0)) == 0)
    #expect(VectorMath.hypotenuse(Float(3e38), Float(3e38)) == .infinity)
    #expect(VectorMath.hypotenuse(Float(3), Float(-4)) == 5)
    let tiny = Double.leastNonzeroMagnitude
    #expect(VectorMath.hypotenuse(tiny, 0) == tiny)
  }
}
