import Foundation
import Testing

@testable import MartletBase

/// Arguments from `low` to `high` by bit pattern: every `step`th float, including both ends.
private func sweep(_ low: Float, _ high: Float, step: UInt32 = 4099) -> [Float] {
  var values = [low, high]
  for sign: Float in [-1, 1] {
    var pattern: UInt32 = 0
    while pattern < 0x7f80_0000 {
      let x = sign * Float(bitPattern: pattern)
      if x >= low && x <= high { values.append(x) }
      pattern += step
    }
  }
  return values
}

/// The largest error of `function` relative to `exact`, in units of the exact result's last place.
private func worst(
  _ values: [Float], _ function: (Float) -> Float, _ exact: (Double) -> Double
) -> (ulps: Double, x: Float) {
  var worst = (ulps: 0.0, x: Float.zero)
  for x in values {
    let want = exact(Double(x))
    let got = function(x)
    let nearest = Float(want)
    if nearest.isInfinite || got.isInfinite {
      if nearest != got { return (.infinity, x) }
      continue
    }
    let error = abs(Double(got) - want) / Double(nearest.ulp)
    if !(error <= worst.ulps) { worst = (error, x) }
  }
  return worst
}

@Suite struct VectorMathTests {
  @Test func expStaysWithinBound() {
    let found = worst(sweep(-87.3, 89), VectorMath.exp, Foundation.exp)
    #expect(found.ulps < 1.2, "\(found)")
    let subnormal = worst(sweep(-104, -87.3), VectorMath.exp, Foundation.exp)
    #expect(subnormal.ulps < 1.7, "\(subnormal)")
  }

  @Test func logStaysWithinBound() {
    let found = worst(sweep(.leastNonzeroMagnitude, 3e38), VectorMath.log, Foundation.log)
    #expect(found.ulps < 1, "\(found)")
    let nearOne = worst(sweep(0.7, 1.5, step: 37), VectorMath.log, Foundation.log)
    #expect(nearOne.ulps < 1, "\(nearOne)")
  }

  @Test func tanhStaysWithinBound() {
    let found = worst(sweep(-20, 20), VectorMath.tanh, Foundation.tanh)
    #expect(found.ulps < 2, "\(found)")
  }

  @Test func logisticStaysWithinBound() {
    let found = worst(sweep(-87, 60), VectorMath.logistic) { 1 / (1 + Foundation.exp(-$0)) }
    #expect(found.ulps < 2.5, "\(found)")
  }

  @Test func doublePrecisionAgreesWithTheLibrary() {
    for x in sweep(-700, 700, step: 65537).map(Double.init) {
      #expect(abs(VectorMath.exp(x) / Foundation.exp(x) - 1) < 0x1p-51, "exp \(x)")
      #expect(VectorMath.tanh(x) == x || abs(VectorMath.tanh(x) / Foundation.tanh(x) - 1) < 0x1p-45)
      let logistic = 1 / (1 + Foundation.exp(-x))
      #expect(abs(VectorMath.logistic(x) / logistic - 1) < 0x1p-50, "logistic \(x)")
      if x > 0 && x != 1 {
        #expect(abs(VectorMath.log(x) / Foundation.log(x) - 1) < 0x1p-51, "log \(x)")
      }
    }
  }

  @Test func edgeCasesAreExact() {
    #expect(VectorMath.exp(Float.zero) == 1)
    #expect(VectorMath.exp(-Float.infinity) == 0)
    #expect(VectorMath.exp(Float.infinity) == .infinity)
    #expect(VectorMath.exp(Float.nan).isNaN)
    #expect(VectorMath.exp(Double.infinity) == .infinity)
    #expect(VectorMath.exp(-Double.infinity) == 0)
    #expect(VectorMath.log(Float(1)) == 0)
    #expect(VectorMath.log(Float.zero) == -.infinity)
    #expect(VectorMath.log(Float(-1)).isNaN)
    #expect(VectorMath.log(Float.infinity) == .infinity)
    #expect(VectorMath.log(Float.nan).isNaN)
    #expect(VectorMath.tanh(-Float.infinity) == -1)
    #expect(VectorMath.tanh(Float(-0.0)).sign == .minus)
    #expect(VectorMath.tanh(Float.nan).isNaN)
    #expect(VectorMath.logistic(Float.infinity) == 1)
    #expect(VectorMath.logistic(-Float.infinity) == 0)
    #expect(VectorMath.logistic(Float.nan).isNaN)
  }

  @Test func lanesAreIndependent() {
    let x = SIMD8<Float>(-100, -3, -0.1, 0, 0.5, 2, 88, .nan)
    let y = VectorMath.exp(x)
    for lane in 0..<7 { #expect(y[lane] == VectorMath.exp(x[lane])) }
    #expect(y[7].isNaN)
  }
}
