//===--- Logistic.swift - logistic function -------------------------------===//
//
// 1 / (1 + e⁻ˣ), or eˣ / (1 + eˣ) for negative x. The argument of the exponential is never
// positive, so nothing overflows and small results keep their relative precision.
//
// Contract  Float: error under 2.5 ulp, plus 0.5 ulp if the result is subnormal; 1 for x >= 16.7;
//           NaN is preserved. Double: under 3 ulp.
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// The logistic function of each lane.
  @inlinable @inline(__always)
  package static func logistic(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let e = exp(floats(bits(x) | SIMD8(repeating: Int32.min)))
    return SIMD8(repeating: 1).replacing(with: e, where: x .< 0) / (e + 1)
  }

  /// The logistic function, bit-identical to the vector form.
  @inlinable
  package static func logistic(_ x: Float) -> Float { logistic(SIMD8(repeating: x))[0] }

  /// The logistic function in double precision.
  package static func logistic(_ x: Double) -> Double {
    let e = exp(-x.magnitude)
    return (x < 0 ? e : 1) / (e + 1)
  }
}
