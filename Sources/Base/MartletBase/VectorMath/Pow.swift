//===--- Pow.swift - powers of floats -------------------------------------===//
//
// |x|ʸ = e^(y log |x|) in double precision; an odd power keeps the sign.
//
// Contract  Error under 0.501 ulp, plus 0.5 ulp if the result is subnormal: the exponent is at most
//           104, so its error is at most 104 · 3 · 2⁻⁵³. Special cases are those of C's `pow`: x⁰
//           and 1ʸ are 1 even for NaN; a negative number to a fractional power is NaN.
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// x to the power of y.
  package static func pow(_ x: Float, _ y: Float) -> Float {
    guard x != 1, y != 0 else { return 1 }
    guard x == x, y == y else { return .nan }
    let base = x.magnitude
    // Avoids infinity · log 1, which is NaN.
    let power = base == 1 ? 1 : exp(Double(y) * log(Double(base)))
    guard x.sign == .minus else { return Float(power) }
    if truncate(y) == y { return Float(isOdd(y) ? -power : power) }
    return base == 0 || base == .infinity ? Float(power) : .nan
  }

  /// Whether a whole number is odd; numbers from 2²⁴ on are even.
  private static func isOdd(_ y: Float) -> Bool {
    y.magnitude < 0x1p24 && Int32(y) & 1 == 1
  }
}
