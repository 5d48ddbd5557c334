//===--- VectorMath.swift - elementary functions --------------------------===//
//
// `exp`, `log`, `tanh` and `logistic`, which the standard library lacks, for eight lanes of
// `Float`, for a `Float`, and for a `Double`.
//
// Contract  Plain multiplication and addition, never fused, so every instruction-set variant gives
//           the same bits. A scalar `Float` is one lane of the vector form and has the same bits.
//           The `Double` forms are used for tables of integers. Rounded to `Float`, they equal a
//           correctly rounded single-precision library, except for one argument in many millions.
//===----------------------------------------------------------------------===//

/// A namespace for elementary functions.
@usableFromInline
package enum VectorMath {
  /// The bits of eight floats. Safe: both types have 32 bytes, and all bit patterns are valid
  /// integers.
  @inlinable @inline(__always)
  static func bits(_ x: SIMD8<Float>) -> SIMD8<Int32> {
    unsafe unsafeBitCast(x, to: SIMD8<Int32>.self)
  }

  /// The floats with the given bits. Safe: both types have 32 bytes, and all bit patterns are valid
  /// floats.
  @inlinable @inline(__always)
  static func floats(_ bits: SIMD8<Int32>) -> SIMD8<Float> {
    unsafe unsafeBitCast(bits, to: SIMD8<Float>.self)
  }

  /// Two to the power of each lane, which must be -126...127.
  @inlinable @inline(__always)
  static func power(ofTwo exponent: SIMD8<Int32>) -> SIMD8<Float> {
    floats((exponent &+ 127) &<< 23)
  }
}
