//===--- Logistic.swift - the logistic function ---------------------------===//
//
// 1 / (1 + e⁻ˣ), and eˣ / (1 + eˣ) for negative x: the exponential's argument is never positive, so
// nothing overflows and the small results keep their relative precision.
//
// Contract  Float: error under 2.5 ulp, half a step more where the result is subnormal; 1 from
//           x = 16.7 on; NaN stays NaN. Double: under 3 ulp.
// Checked   Tests/MartletMathTests/VectorMathTests.swift
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// The logistic function, lane by lane.
  @inlinable @inline(__always)
  package static func logistic(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let e = exp(floats(bits(x) | SIMD8(repeating: Int32.min)))
    return SIMD8(repeating: 1).replacing(with: e, where: x .< 0) / (e + 1)
  }

  /// The logistic function, with the bits of the vector form.
  @inlinable
  package static func logistic(_ x: Float) -> Float { logistic(SIMD8(repeating: x))[0] }

  /// The logistic function in double precision.
  package static func logistic(_ x: Double) -> Double {
    let e = exp(-x.magnitude)
    return (x < 0 ? e : 1) / (e + 1)
  }
}
