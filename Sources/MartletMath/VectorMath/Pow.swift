//===--- Pow.swift - powers of floats -------------------------------------===//
//
// |x|ʸ = e^(y log |x|) in double precision, with the sign of an odd power.
//
// Contract  Error under 0.501 ulp, half a step more where the result is subnormal: the exponent is
//           at most 104, and so wrong by at most 104 · 3 · 2⁻⁵³. Edges are those of C's `pow`: x⁰ and
//           1ʸ are 1 even for NaN; a negative number to a power that is not whole is NaN.
// Checked   Tests/MartletMathTests/PowTests.swift (against the C library in `Double`)
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// x to the power of y.
  package static func pow(_ x: Float, _ y: Float) -> Float {
    guard x != 1, y != 0 else { return 1 }
    guard x == x, y == y else { return .nan }
    let base = x.magnitude
    // One to the power of infinity would be zero times infinity.
    let power = base == 1 ? 1 : exp(Double(y) * log(Double(base)))
    guard x.sign == .minus else { return Float(power) }
    if truncate(y) == y { return Float(isOdd(y) ? -power : power) }
    return base == 0 || base == .infinity ? Float(power) : .nan
  }

  /// Whether a whole number is odd; those of 2²⁴ and more are even.
  private static func isOdd(_ y: Float) -> Bool {
    y.magnitude < 0x1p24 && Int32(y) & 1 == 1
  }
}
