//===--- Trigonometry.swift - sine and cosine -----------------------------===//
//
// x = n π/2 + r with |r| <= π/4. The integer mantissa of x is multiplied by 128 bits of 2/π. Higher
// bits, which give only whole turns, and lower bits are omitted. The sine or cosine of r is a
// Taylor series in double precision.
//
// Contract  Error under 0.501 ulp for every finite argument: 62 bits of the fraction of a quarter
//           turn are kept, and no float is closer to a multiple of π/2 than 2⁻³⁰ quarter turns. The
//           series omit less than 2⁻⁴⁰ of their sums. Sine is odd and keeps the sign of zero.
//           Infinity and NaN give NaN.
// Cost      Two 64-bit products and one polynomial.
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// The sine of an angle in radians.
  package static func sin(_ x: Float) -> Float {
    let (quadrant, rest) = quarterTurns(x)
    let value = quadrant & 1 == 0 ? sine(rest) : cosine(rest)
    return Float(quadrant & 2 == 0 ? value : -value)
  }

  /// The cosine of an angle in radians.
  package static func cos(_ x: Float) -> Float {
    let (quadrant, rest) = quarterTurns(x)
    let value = quadrant & 1 == 0 ? cosine(rest) : sine(rest)
    return Float((quadrant &+ 1) & 2 == 0 ? value : -value)
  }

  /// The cosine of a number of turns from 0 to 1; the error is under 2⁻⁴⁰.
  package static func cos(turns: Double) -> Double {
    let quarters = round(4 * turns)
    let rest = (4 * turns - quarters) * 0x1.921fb54442d18p+0
    let quadrant = Int(quarters)
    let value = quadrant & 1 == 0 ? cosine(rest) : sine(rest)
    return (quadrant &+ 1) & 2 == 0 ? value : -value
  }

  /// 2/π in 64-bit words, with 32 zeros before its first bit after the binary point.
  private static let twoOverPi: [UInt64] = [
    0x0000_0000_a2f9_836e, 0x4e44_1529_fc27_57d1, 0xf534_ddc0_db62_9599,
    0x3c43_9041_fe51_63ab, 0xdebb_c561_b724_6e3a, 0x424d_d2e0_0000_0000,
  ]

  /// The number of quarter turns nearest to an angle (only its last two bits are meaningful), and
  /// the remaining angle in radians.
  private static func quarterTurns(_ x: Float) -> (nearest: Int, rest: Double) {
    // Up to π/4 no reduction is needed; NaN also returns here.
    guard x.magnitude > 0x1.921fb4p-1 else { return (0, Double(x)) }
    guard x.magnitude < .infinity else { return (0, .nan) }
    // |x| = mantissa · 2ᵉ. Bits of 2/π with a value of at least 4/2ᵉ give only whole turns.
    let mantissa = UInt64(x.bitPattern & 0x7f_ffff | 0x80_0000)
    let exponent = Int(x.bitPattern >> 23 & 0xff) &- 150
    let first = exponent &+ 30
    let word = first / 64
    let shift = UInt64(first % 64)
    let high = twoOverPi[word] << shift | twoOverPi[word &+ 1] >> (64 - shift)
    let low = twoOverPi[word &+ 1] << shift | twoOverPi[word &+ 2] >> (64 - shift)
    // Two bits of quarter turns, and 62 bits of their fraction.
    let turns = mantissa &* high &+ mantissa.multipliedFullWidth(by: low).high
    let nearest = Int((turns &+ 1 << 61) >> 62)
    let rest = Double(Int64(bitPattern: turns << 2) >> 2) * 0x1.921fb54442d18p-62
    return x < 0 ? (0 &- nearest, -rest) : (nearest, rest)
  }

  /// sin r for |r| <= π/4.
  private static func sine(_ r: Double) -> Double {
    let z = r * r
    var p = z / 6_227_020_800 - 1 / 39_916_800
    p = p * z + 1 / 362_880
    p = p * z - 1 / 5_040
    p = p * z + 1 / 120
    p = p * z - 1 / 6
    // This form keeps the sign of zero.
    return (p * z + 1) * r
  }

  /// cos r for |r| <= π/4.
  private static func cosine(_ r: Double) -> Double {
    let z = r * r
    var p = z / 479_001_600 - 1 / 3_628_800
    p = p * z + 1 / 40_320
    p = p * z - 1 / 720
    p = p * z + 1 / 24
    p = p * z - 1 / 2
    return p * z + 1
  }
}
