//===--- Remainder.swift - remainder of float division --------------------===//
//
// x - n y with n the quotient cut towards zero, which is always a float: long division of the
// mantissas in integers, 40 bits a step. (The standard library's `truncatingRemainder` is a call of
// the C mathematics library.)
//
// Contract  Exact: C's `fmod`. The sign is x's. NaN, an infinite x and a y of zero give NaN; an
//           infinite y gives x.
// Cost      A 64-bit division for every 40 powers of two between x and y.
// Checked   Tests/MartletMathTests/RemainderTests.swift (against the C library)
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// What is left of x when as many whole y as fit are taken away.
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
    // The rest has 24 bits at most: the conversion and the scaling are exact.
    let magnitude = Float(Double(rest) * Double(sign: .plus, exponent: lowest, significand: 1))
    return x.sign == .minus ? -magnitude : magnitude
  }

  /// |x| = mantissa · 2ᵉ with a whole mantissa.
  private static func parts(of x: Float) -> (mantissa: UInt64, exponent: Int) {
    let field = Int(x.bitPattern >> 23 & 0xff)
    let fraction = UInt64(x.bitPattern & 0x7f_ffff)
    return field == 0 ? (fraction, -149) : (fraction | 0x80_0000, field - 150)
  }
}
