//===--- FixedPoint.swift - fixed-point multipliers -----------------------===//
//
// Quantized kernels scale 32-bit accumulators by real factors in integer arithmetic, so that
// results are the same on every machine. A factor is a 31-bit mantissa in 0.5..<1 and a power of
// two.
//
// Contract  Bit-exact with LiteRT's double-rounding arithmetic (gemmlowp): the doubling high
//           multiplication rounds to nearest, ties towards plus infinity; the right shift rounds to
//           nearest, ties away from zero.
//===----------------------------------------------------------------------===//

/// A real factor as a 31-bit fixed-point mantissa and an exponent.
@usableFromInline
package struct FixedPointMultiplier: Sendable, Hashable {
  /// The mantissa times 2³¹: 2³⁰ ..< 2³¹, or zero.
  @usableFromInline
  package let mantissa: Int32
  /// The power of two; positive shifts left.
  @usableFromInline
  package let shift: Int32

  @inlinable
  package init(mantissa: Int32, shift: Int32) {
    self.mantissa = mantissa
    self.shift = shift
  }

  /// Converts `factor`, which must be finite and not negative, to fixed point.
  ///
  /// Factors under 2⁻³² become zero; those of 2³⁰ and above saturate.
  package init(_ factor: Double) {
    guard factor > 0, factor.isFinite else {
      self.init(mantissa: 0, shift: 0)
      return
    }
    // `significand` is in 1..<2; LiteRT's frexp gives 0.5..<1 and an exponent one higher.
    var shift = Int(factor.exponent) + 1
    var mantissa = Int64(VectorMath.round(factor.significand * 0x1p30))
    if mantissa == 1 << 31 {
      mantissa >>= 1
      shift += 1
    }
    if shift < -31 {
      self.init(mantissa: 0, shift: 0)
    } else if shift > 30 {
      self.init(mantissa: Int32.max, shift: 30)
    } else {
      self.init(mantissa: Int32(truncatingIfNeeded: mantissa), shift: Int32(shift))
    }
  }

  /// The factor, for a shift of -31...30.
  package var value: Double {
    Double(mantissa) / Double(Int64(1) << Int64(31 &- shift))
  }

  /// `value` times the factor, rounded twice as in LiteRT.
  @inlinable
  package func callAsFunction(_ value: Int32) -> Int32 {
    let left = Swift.max(shift, 0)
    let right = Swift.max(-shift, 0)
    return roundingShiftRight(
      saturatingRoundingDoublingHighMultiply(value &<< left, mantissa), by: right)
  }

  /// `value` times the factor, as LiteRT scales 64-bit sums: the mantissa is rounded to 15 bits,
  /// and the result is rounded once, ties towards plus infinity.
  @inlinable
  package func callAsFunction(_ value: Int64) -> Int32 {
    let reduced = mantissa < 0x7fff_0000 ? Int64((mantissa + 0x8000) >> 16) : 0x7fff
    let right = Int64(15 - shift)
    return Int32(truncatingIfNeeded: (value &* reduced &+ (1 << (right - 1))) >> right)
  }
}

/// The high 32 bits of `2 * a * b`, rounded to nearest with ties towards plus infinity; `Int32.min
/// * Int32.min` saturates.
@inlinable
package func saturatingRoundingDoublingHighMultiply(_ a: Int32, _ b: Int32) -> Int32 {
  if a == Int32.min && b == Int32.min { return Int32.max }
  // In 32-bit words, because 32-bit Arm calls functions to convert and divide 64 bits.
  let product = a.multipliedFullWidth(by: b)
  let low = product.low &+ 1 << 30
  let carry: Int32 = low < product.low ? 1 : 0
  return (product.high &+ carry) &<< 1 | Int32(truncatingIfNeeded: low &>> 31)
}

/// `value / 2^exponent`, rounded to nearest with ties away from zero; `exponent` is 0...31.
@inlinable
package func roundingShiftRight(_ value: Int32, by exponent: Int32) -> Int32 {
  let mask = Int32(bitPattern: 1 &<< UInt32(bitPattern: exponent) &- 1)
  let remainder = value & mask
  let threshold = (mask &>> 1) &+ (value < 0 ? 1 : 0)
  return (value &>> exponent) &+ (remainder > threshold ? 1 : 0)
}
