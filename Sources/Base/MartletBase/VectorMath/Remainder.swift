//===--- Remainder.swift - float remainder --------------------------------===//
//
// x - n y, where n is the quotient truncated towards zero. The result is always a float. Mantissas
// are divided by long division in integers, 40 bits per step. (The standard library's
// `truncatingRemainder` calls the C math library.)
//
// Contract  Exact, as C's `fmod`. The sign is that of x. NaN, an infinite x, or y = 0 give NaN; an
//           infinite y gives x.
// Cost      One 64-bit division per 40 powers of two between x and y.
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// The remainder of x / y, truncated towards zero.
  package static func remainder(_ x: Float, _ y: Float) -> Float {
    guard x.magnitude < .infinity, y.magnitude > 0 else { return .nan }
    guard x.magnitude >= y.magnitude else { return x }
    let (divisor, lowest) = parts(of: y)
    var (rest, exponent) = parts(of: x)
    rest %= divisor
    while exponent > lowest {
      let step = min(exponent - lowest, 40)
      rest = rest << UInt64(step) % divisor
      exponent -= step
    }
    // The remainder has at most 24 bits, so the conversion and the scaling are exact.
    let magnitude = Float(Double(rest) * Double(sign: .plus, exponent: lowest, significand: 1))
    return x.sign == .minus ? -magnitude : magnitude
  }

  /// Splits |x| = mantissa · 2ᵉ with an integer mantissa.
  private static func parts(of x: Float) -> (mantissa: UInt64, exponent: Int) {
    let field = Int(x.bitPattern >> 23 & 0xff)
    let fraction = UInt64(x.bitPattern & 0x7f_ffff)
    return field == 0 ? (fraction, -149) : (fraction | 0x80_0000, field - 150)
  }
}
