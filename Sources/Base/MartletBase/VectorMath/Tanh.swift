//===--- Tanh.swift - hyperbolic tangent ----------------------------------===//
//
// tanh x = 1 - 2 / (e²ˣ + 1) for |x| >= 0.625. Below that, where the formula would cancel, an odd
// polynomial.
//
// Contract  Float: error under 2 ulp; odd; ±1 for |x| >= 9.02; NaN is preserved. Double: relative
//           error under 2⁻⁴⁵.
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// The hyperbolic tangent of each lane.
  @inlinable @inline(__always)
  package static func tanh(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let sign = bits(x) & SIMD8(repeating: Int32.min)
    let magnitude = floats(bits(x) ^ sign)
    let far = 1 - 2 / (exp(magnitude + magnitude) + 1)
    // (tanh x - x) / x³ in x², minimax.
    let u = magnitude * magnitude
    var p = u * -0x1.75e1ccp-8 + 0x1.52269ap-6
    p = p * u + -0x1.b83c5ap-5
    p = p * u + 0x1.110726p-3
    p = p * u + -0x1.555532p-2
    let near = magnitude * u * p + magnitude
    return floats(bits(far.replacing(with: near, where: magnitude .< 0.625)) | sign)
  }

  /// The hyperbolic tangent, bit-identical to the vector form.
  @inlinable
  package static func tanh(_ x: Float) -> Float { tanh(SIMD8(repeating: x))[0] }

  /// The hyperbolic tangent in double precision.
  package static func tanh(_ x: Double) -> Double {
    guard x.magnitude >= 0x1p-7 else {
      // Taylor series; the first omitted term is under 2⁻⁶⁰ of the sum.
      let u = x * x
      return x * (1 - u * (1.0 / 3 - u * (2.0 / 15 - u * (17.0 / 315))))
    }
    let e = exp(2 * min(x.magnitude, 22))
    let magnitude = (e - 1) / (e + 1)
    return x < 0 ? -magnitude : magnitude
  }
}
