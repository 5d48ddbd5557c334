//===--- FixedPoint+Short.swift - 16-bit tanh and logistic ----------------===//
//
// The functions of quantized recurrent cells, in 16-bit fixed point. A Qm.n number has m integer
// bits and n fractional bits, and a sign bit: 16 in total.
//
// Contract  Bit-exact with gemmlowp's `tanh` and `logistic` of `FixedPoint<int16_t, m>`. Constants
//           are the rounded 32-bit constants.
//===----------------------------------------------------------------------===//

extension FixedPoint {
  /// 1 / (1 + e⁻ˣ) for x in Q3.12; the result is Q0.15.
  package static func logistic(_ x: Int16) -> Int16 {
    guard x != 0 else { return 1 << 14 }
    let magnitude = x > 0 ? x : 0 &- x
    let reciprocal = reciprocal(ofHalf: halfOfOnePlus(exp(ofNegative: 0 &- magnitude, bits: 3)))
    let positive = saturatingShiftLeft(reciprocal, by: 1)
    return x > 0 ? positive : Int16.max &- positive
  }

  /// tanh x for x with `bits` integer bits, 0...6; the result is Q0.15.
  package static func tanh(_ x: Int16, bits: Int16) -> Int16 {
    guard x != 0 else { return 0 }
    // (1 - e⁻²ˣ) / (1 + e⁻²ˣ); one more integer bit doubles the argument.
    let power = exp(ofNegative: x < 0 ? x : 0 &- x, bits: bits + 1)
    let reciprocal = reciprocal(ofHalf: halfOfOnePlus(power))
    let result = saturatingShiftLeft(reciprocal &- 1 << 13, by: 2)
    return x < 0 ? 0 &- result : result
  }

  /// a · b of Q0.15 numbers; for other formats the integer bits add up.
  package static func multiply(_ a: Int16, _ b: Int16) -> Int16 {
    guard a != Int16.min || b != Int16.min else { return Int16.max }
    let product = Int32(a) * Int32(b)
    let nudge: Int32 = product >= 0 ? 1 << 14 : 1 - 1 << 14
    return Int16(truncatingIfNeeded: (product + nudge) / (1 << 15))
  }

  /// eˣ for x <= 0 with `bits` integer bits; the result is Q0.15.
  private static func exp(ofNegative x: Int16, bits: Int16) -> Int16 {
    guard x != 0 else { return Int16.max }
    if bits > 5, x < 0 - 1 << (20 - bits) { return 0 }
    let quarter: Int16 = 1 << (13 - bits)
    let remainder = (x & (quarter - 1)) - quarter
    var result = exp(ofNegativeQuarter: remainder << bits)
    let quarters = remainder &- x
    // e^(-1/4), e^(-1/2), e^(-1), e^(-2), e^(-4), e^(-8), e^(-16).
    let powers: SIMD8<Int16> = [25520, 19875, 12055, 4435, 600, 11, 0, 0]
    for index in 0..<min(Int16(7), bits + 2) where quarters & quarter << index != 0 {
      result = multiply(result, powers[Int(index)])
    }
    return result
  }

  /// eˣ for -1/4 <= x < 0 in Q0.15: Taylor series around -1/8.
  private static func exp(ofNegativeQuarter x: Int16) -> Int16 {
    let center: Int16 = 28918  // e^(-1/8)
    let third: Int16 = 10923
    let y = x &+ 1 << 12
    let square = multiply(y, y)
    let cube = multiply(square, y)
    let fourth = multiply(square, square)
    let tail = multiply(shiftRight(fourth, by: 2) &+ cube, third) &+ square
    return Int16(clamping: Int32(center) + Int32(multiply(center, y &+ shiftRight(tail, by: 1))))
  }

  /// (1 + x) / 2 for x in Q0.15, rounded away from zero.
  private static func halfOfOnePlus(_ x: Int16) -> Int16 {
    Int16(truncatingIfNeeded: (Int32(x) + Int32(Int16.max) + 1) / 2)
  }

  /// 1 / (2 · half) in Q2.13: three Newton steps from a linear estimate.
  private static func reciprocal(ofHalf half: Int16) -> Int16 {
    var y = 23130 &+ multiply(half, -15420)  // 48/17 - 32/17 · half
    for _ in 0..<3 {
      let error = 1 << 13 &- multiply(half, y)
      y = y &+ saturatingShiftLeft(multiply(y, error), by: 2)
    }
    return y
  }

  /// `value` · 2^exponent, saturated to the range of `Int16`.
  package static func saturatingShiftLeft(_ value: Int16, by exponent: Int16) -> Int16 {
    let limit: Int16 = 1 << (15 - exponent) - 1
    return value > limit ? Int16.max : value < -limit ? Int16.min : value << exponent
  }

  /// `value` / 2^exponent, rounded to nearest, ties away from zero.
  package static func shiftRight(_ value: Int16, by exponent: Int32) -> Int16 {
    Int16(truncatingIfNeeded: roundingShiftRight(Int32(value), by: exponent))
  }
}
