//===--- Log.swift - natural logarithm ------------------------------------===//
//
// x = 2ⁿ (1 + f) with 1 + f in √½ ..< √2, and s = f / (2 + f). log(1 + f) = 2 artanh s = 2s + s
// R(s²), evaluated as f - f²/2 + s (f²/2 + R) so that the large term f is exact.
//
// Contract  Float: error under 1 ulp. Zero gives -infinity, a negative number NaN; NaN is
//           preserved; subnormals lose no precision. Double: under 2 ulp.
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// The natural logarithm of each lane.
  @inlinable @inline(__always)
  package static func log(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let isSubnormal = x .< Float.leastNormalMagnitude
    let normal = x.replacing(with: x * 0x1p23, where: isSubnormal)
    // Subtracting √½'s bits makes the exponent field change at √½ rather than at 1.
    let offset = bits(normal) &- SIMD8(repeating: 0x3f35_04f3)
    var exponent = offset &>> 23
    exponent.replace(with: exponent &- 23, where: isSubnormal)
    let mantissa = floats((offset & SIMD8(repeating: 0x007f_ffff)) &+ 0x3f35_04f3)
    let n = SIMD8<Float>(exponent)

    let f = mantissa - 1
    let s = f / (f + 2)
    let z = s * s
    // (log(1 + f) - 2s) / s, minimax.
    var tail = z * 0x1.e2f664p-3 + 0x1.2438d8p-2
    tail = tail * z + 0x1.999a7ap-2
    tail = tail * z + 0x1.555554p-1
    tail = tail * z
    let half = f * f * 0.5
    let low = s * (half + tail) + n * 0x1.7f7d1cp-20
    var result = n * 0x1.62e4p-1 - ((half - low) - f)

    result.replace(with: -.infinity, where: x .== 0)
    result.replace(with: .nan, where: x .< 0)
    // Infinity and NaN are preserved.
    return result.replacing(with: x, where: .!(x .< .infinity))
  }

  /// The natural logarithm, bit-identical to the vector form.
  @inlinable
  package static func log(_ x: Float) -> Float { log(SIMD8(repeating: x))[0] }

  /// The natural logarithm in double precision.
  package static func log(_ x: Double) -> Double {
    guard x > 0 else { return x == 0 ? -.infinity : .nan }
    guard x < .infinity else { return x }
    var mantissa = x.significand
    var n = Double(x.exponent)
    if mantissa > 0x1.6a09e667f3bcdp+0 {
      mantissa /= 2
      n += 1
    }
    let f = mantissa - 1
    let s = f / (f + 2)
    let z = s * s
    // The series of 2 artanh; z < 0.0295, so the first omitted term is under 2⁻⁵⁸.
    var tail = 0.0
    var k = 23.0
    while k >= 3 {
      tail = (tail + 2 / k) * z
      k -= 2
    }
    let half = f * f / 2
    let low = s * (half + tail) + n * 0x1.a39ef35793c76p-33
    return n * 0x1.62e42fee00000p-1 - ((half - low) - f)
  }
}
