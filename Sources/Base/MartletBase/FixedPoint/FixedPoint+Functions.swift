//===--- FixedPoint+Functions.swift - exp and 1/x -------------------------===//
//
// The two functions of quantized softmax, in fixed point, with the same bits on every machine. A
// Qm.n number has m integer bits and n fractional bits, and a sign bit: 32 in total.
//
// Contract  Bit-exact with gemmlowp's `exp_on_negative_values` for Q5.26 and
//           `one_over_one_plus_x_for_x_in_0_1`.
//===----------------------------------------------------------------------===//

/// Fixed-point functions.
@usableFromInline
package enum FixedPoint {
  /// eˣ for x <= 0 in Q5.26; the result is Q0.31.
  ///
  /// x = -k/4 - r with 0 < r <= 1/4: a polynomial for r, and a factor e^(-2ⁱ) for each bit of k.
  @inlinable
  package static func exp(ofNegative x: Int32) -> Int32 {
    guard x != 0 else { return Int32.max }
    let quarter: Int32 = 1 << 24
    let remainder = (x & (quarter - 1)) - quarter
    var result = exp(ofNegativeQuarter: remainder << 5)
    let quarters = remainder &- x
    // e^(-1/4), e^(-1/2), e^(-1), e^(-2), e^(-4), e^(-8), e^(-16).
    if quarters & (1 << 24) != 0 { result = multiply(result, 1_672_461_947) }
    if quarters & (1 << 25) != 0 { result = multiply(result, 1_302_514_674) }
    if quarters & (1 << 26) != 0 { result = multiply(result, 790_015_084) }
    if quarters & (1 << 27) != 0 { result = multiply(result, 290_630_308) }
    if quarters & (1 << 28) != 0 { result = multiply(result, 39_332_535) }
    if quarters & (1 << 29) != 0 { result = multiply(result, 720_401) }
    if quarters & (1 << 30) != 0 { result = multiply(result, 242) }
    return result
  }

  /// eˣ for -1/4 <= x < 0 in Q0.31: Taylor series around -1/8.
  @inlinable
  package static func exp(ofNegativeQuarter x: Int32) -> Int32 {
    let center: Int32 = 1_895_147_668  // e^(-1/8)
    let third: Int32 = 715_827_883
    let y = x &+ 1 << 28
    let square = multiply(y, y)
    let cube = multiply(square, y)
    let fourth = multiply(square, square)
    let tail = multiply(roundingShiftRight(fourth, by: 2) &+ cube, third) &+ square
    return center &+ multiply(center, y &+ roundingShiftRight(tail, by: 1))
  }

  /// 1 / (1 + x) for 0 <= x < 1 in Q0.31: three Newton steps from a linear estimate.
  @inlinable
  package static func reciprocal(ofOnePlus x: Int32) -> Int32 {
    // (1 + x) / 2 in Q0.31, and its reciprocal in Q2.29.
    let half = Int32((Int64(x) + Int64(Int32.max) + 1) / 2)
    var y = 1_515_870_810 &+ multiply(half, -1_010_580_540)  // 48/17 - 32/17 · half
    for _ in 0..<3 {
      let error = 1 << 29 &- multiply(half, y)
      // The product is Q4.27.
      y = y &+ saturatingShiftLeft(multiply(y, error), by: 2)
    }
    // Half of y in Q0.31.
    return saturatingShiftLeft(y, by: 1)
  }

  @inlinable
  package static func multiply(_ a: Int32, _ b: Int32) -> Int32 {
    saturatingRoundingDoublingHighMultiply(a, b)
  }

  @inlinable
  package static func saturatingShiftLeft(_ value: Int32, by exponent: Int32) -> Int32 {
    let wide = Int64(value) << Int64(exponent)
    return Int32(min(max(wide, Int64(Int32.min)), Int64(Int32.max)))
  }
}
