//===--- Requantization.swift - sums to bytes -----------------------------===//
//
// A channel has three integers in its layer's record: the bias less the input's zero point times
// the sum of the weights, the multiplier, and the shift to the right after the high product.
//
// Contract  y = clamp(zero + round(sum · multiplier · 2^(-31 - shift))), with LiteRT's two
//           roundings. A negative shift shifts the sum to the left first. The
//           compiler checks that no rounding overflows. `MartletBase` has these functions with
//           products of 64 bits, which 32-bit processors compute by calls.
// Cost      Two products of 32 bits with high words.
// Source    gemmlowp, SaturatingRoundingDoublingHighMul and RoundingDivideByPOT
//===----------------------------------------------------------------------===//

/// The high word of `2 a b`, rounded to nearest with ties upward. `a` and `b` are not both the
/// lowest integer.
@inline(__always)
func doublingHighProduct(_ a: Int32, _ b: Int32) -> Int32 {
  let product = a.multipliedFullWidth(by: b)
  let low = product.low &+ 1 << 30
  let carry: Int32 = low < product.low ? 1 : 0
  return (product.high &+ carry) &<< 1 | Int32(truncatingIfNeeded: low &>> 31)
}

/// `value / 2^shift`, rounded to nearest with ties away from zero; `shift` is 1...31, and the value
/// plus half the divisor is at most `Int32.max`.
@inline(__always)
func roundingShiftRight(_ value: Int32, by shift: Int32) -> Int32 {
  let half = Int32(bitPattern: (1 as UInt32) &<< UInt32(bitPattern: shift &- 1))
  return (value &+ half &+ value &>> 31) &>> shift
}

/// The value times a factor, rounded twice. A negative shift is one to the left.
@inline(__always)
func scaled(_ value: Int32, by multiplier: Int32, shift: Int32) -> Int32 {
  let left = shift < 0 ? value &<< (0 &- shift) : value
  let high = doublingHighProduct(left, multiplier)
  return shift > 0 ? roundingShiftRight(high, by: shift) : high
}

/// The byte of a sum.
@inline(__always)
func requantized(
  _ sum: Int32, _ channel: UnsafePointer<Int32>, _ window: UnsafePointer<WindowRecord>
) -> UInt8 {
  let value = unsafe scaled(sum, by: channel[1], shift: channel[2]) &+ window.pointee.outputZero
  return unsafe UInt8(
    truncatingIfNeeded: min(max(value, window.pointee.low), window.pointee.high))
}

/// The sum times the channel's factor, rounded once, ties away from zero; the shift is 33...62.
@inline(__always)
func roundedOnce(_ sum: Int32, _ channel: UnsafePointer<Int32>) -> Int32 {
  let product = unsafe sum.multipliedFullWidth(by: channel[1])
  let shift = unsafe channel[2] &- 32
  // Ties of negative sums are rounded down; the lower word matters only there.
  let borrow: Int32 = sum < 0 && product.low == 0 ? 1 : 0
  return (product.high &+ 1 &<< (shift &- 1) &- borrow) &>> shift
}

/// `value · 2^shift`, saturating; `shift` is 0...31.
@inline(__always)
func saturatingShiftLeft(_ value: Int32, by shift: Int32) -> Int32 {
  let limit = Int32.max &>> shift
  return value > limit ? Int32.max : value < 0 &- limit &- 1 ? Int32.min : value &<< shift
}
