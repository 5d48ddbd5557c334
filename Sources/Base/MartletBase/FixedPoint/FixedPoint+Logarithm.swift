//===--- FixedPoint+Logarithm.swift - natural logarithm -------------------===//
//
// x = 2ᵏ r with r near √√½ (0.84): log x = k log 2 + log r. Both x and x √½ give a candidate for k,
// which may have a fraction of a quarter; the larger one keeps r within 0.71...1. log r is a
// quotient of polynomials around √√½.
//
// Contract  Bit-exact with LiteRT's `log_x_for_x_greater_than_or_equal_to_1` from Q12.19 to Q5.26;
//           arguments must be at least one.
//===----------------------------------------------------------------------===//

extension FixedPoint {
  /// The natural logarithm of `x`, a Q12.19 number of at least one, in Q5.26.
  @inlinable
  package static func log(ofQ12 x: Int32) -> Int32 {
    let rootHalf: Int32 = 1_518_500_250  // √½
    let center: Int32 = 1_805_811_301  // √√½
    let quarter: Int32 = 1 << 23  // in Q6.25

    // x scaled to ½ ..< 1, times √2; its power of two, plus a quarter.
    let zeros = Int32(truncatingIfNeeded: x.leadingZeroBitCount)
    let left = saturatingShiftLeft(
      multiply(saturatingShiftLeft(x, by: max(zeros - 1, 0)), rootHalf), by: 1)
    let leftPower = saturatingShiftLeft(12 - zeros, by: 25) &+ quarter
    // The same for x √½; its power excludes that factor and subtracts a quarter.
    let headroom = Int32(truncatingIfNeeded: multiply(x, rootHalf).leadingZeroBitCount) - 1
    let right = saturatingShiftLeft(x, by: max(headroom, 0))
    let rightPower = saturatingShiftLeft(12 - headroom, by: 25) &- quarter
    let r = min(left, right)
    let power = max(leftPower, rightPower)

    let p = roundingHalfSum(r, center)
    let q = (r &- center) &* 2
    let square = multiply(q, q)
    // 11/240 ⁴√2, 1/20 ⁴√2, 2/⁴√2 - ⁴√2, 1/4 ⁴√2.
    let numerator = multiply(q, r) &+ multiply(multiply(q, square), 117_049_297)
    let factor = 1_057_819_769 &+ q &+ multiply(127_690_142, square)
    let denominator = multiply(p, factor) &+ multiply(638_450_708, q)
    let quotient = multiply(
      roundingShiftRight(numerator, by: 6), reciprocal(ofOnePlus: denominator))
    let sum = multiply(power, 1_488_522_236) &+ quotient  // log 2
    return saturatingShiftLeft(sum, by: 1)
  }

  /// (a + b) / 2, ties away from zero.
  @inlinable
  package static func roundingHalfSum(_ a: Int32, _ b: Int32) -> Int32 {
    let sum = Int64(a) + Int64(b)
    return Int32(truncatingIfNeeded: (sum + (sum >= 0 ? 1 : -1)) / 2)
  }
}
