//===--- Arithmetic.swift - rounding and wide products --------------------===//
//
// Rounding half away from zero, for which few processors have an instruction, and 128-bit products.
//
// Contract  Same results as C's `roundf` and `round` and the compiler's `__multi3`.
//===----------------------------------------------------------------------===//

/// Arithmetic functions without state.
package enum Arithmetic {
  /// The nearest integer, halves away from zero; zeros keep their sign.
  @inline(__always)
  package static func round(_ value: Float) -> Float {
    // From 2^23 on every number is an integer; NaN is returned unchanged.
    guard value.magnitude < 0x1p23 else { return value }
    let whole = Float(Int32(value.magnitude))
    let rounded = value.magnitude - whole >= 0.5 ? whole + 1 : whole
    return Float(bitPattern: rounded.bitPattern | value.bitPattern & 0x8000_0000)
  }

  /// The same in double precision.
  @inline(__always)
  package static func round(_ value: Double) -> Double {
    guard value.magnitude < 0x1p52 else { return value }
    let whole = Double(Int64(value.magnitude))
    let rounded = value.magnitude - whole >= 0.5 ? whole + 1 : whole
    return Double(bitPattern: rounded.bitPattern | value.bitPattern & 0x8000_0000_0000_0000)
  }

  /// The lower 128 bits of the product of two 128-bit numbers, lower halves first.
  @inline(__always)
  package static func product(
    _ a: (low: UInt64, high: UInt64), _ b: (low: UInt64, high: UInt64)
  ) -> (low: UInt64, high: UInt64) {
    // The product of the lower halves, from 32-bit products.
    let mask: UInt64 = 0xFFFF_FFFF
    let (a0, a1) = (a.low & mask, a.low >> 32)
    let (b0, b1) = (b.low & mask, b.low >> 32)
    let lowest = a0 &* b0
    let first = a1 &* b0 &+ lowest >> 32
    let second = a0 &* b1 &+ first & mask
    let high = a1 &* b1 &+ first >> 32 &+ second >> 32
    return (second << 32 | lowest & mask, high &+ a.low &* b.high &+ a.high &* b.low)
  }
}
