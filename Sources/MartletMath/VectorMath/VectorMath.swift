//===--- VectorMath.swift - the elementary functions' name space ----------===//
//
// `exp`, `log`, `tanh` and `logistic`, which the standard library lacks: for eight lanes of
// `Float`, for a `Float`, and for a `Double`.
//
// Contract  Plain multiplication and addition, never fused: the same bits at every instruction-set
//           level. A scalar `Float` is a lane of the vector form, so its bits are the same too.
//           The `Double` forms exist for tables of integers: they are accurate enough that rounding
//           to `Float` gives what a correctly rounded single-precision library gives, but for one
//           argument in many millions.
// Checked   Tests/MartletMathTests/VectorMathTests.swift (against the C library in `Double`)
//===----------------------------------------------------------------------===//

/// The elementary functions.
@usableFromInline
package enum VectorMath {
  /// The bits of eight floats: both types have 32 bytes, and any bits are integers.
  @inlinable @inline(__always)
  static func bits(_ x: SIMD8<Float>) -> SIMD8<Int32> {
    unsafe unsafeBitCast(x, to: SIMD8<Int32>.self)
  }

  /// The eight floats of these bits: both types have 32 bytes, and any bits are floats.
  @inlinable @inline(__always)
  static func floats(_ bits: SIMD8<Int32>) -> SIMD8<Float> {
    unsafe unsafeBitCast(bits, to: SIMD8<Float>.self)
  }

  /// Two to the power of each lane, -126...127.
  @inlinable @inline(__always)
  static func power(ofTwo exponent: SIMD8<Int32>) -> SIMD8<Float> {
    floats((exponent &+ 127) &<< 23)
  }
}
