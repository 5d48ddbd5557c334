//===--- Arithmetic+Wide.swift - 64-bit arithmetic for 32-bit CPUs --------===//
//
// Shifts, quotients and conversions of 64-bit numbers with 32-bit instructions. Double-precision
// arithmetic is assumed to be available.
//
// Contract  Same results as the operators of `Int64` and `UInt64`, which the compiler implements by
//           calling these functions. So none of those operators is used here.
// Cost      One step per bit for a quotient, a few instructions for all others.
//===----------------------------------------------------------------------===//

extension Arithmetic {
  // MARK: - Shifts by 0 to 63

  @inline(__always)
  package static func shiftLeft(_ value: UInt64, by count: UInt32) -> UInt64 {
    let (low, high) = halves(value)
    guard count < 32 else { return word(0, low << (count &- 32)) }
    return word(low << count, high << count | (low >> 1) >> (31 &- count))
  }

  @inline(__always)
  package static func shiftRight(_ value: UInt64, by count: UInt32) -> UInt64 {
    let (low, high) = halves(value)
    guard count < 32 else { return word(high >> (count &- 32), 0) }
    return word(low >> count | (high << 1) << (31 &- count), high >> count)
  }

  @inline(__always)
  package static func shiftRight(_ value: Int64, by count: UInt32) -> Int64 {
    let (low, high) = halves(UInt64(bitPattern: value))
    let signed = Int32(bitPattern: high)
    let result =
      count < 32
      ? word(low >> count | (high << 1) << (31 &- count), UInt32(bitPattern: signed >> count))
      : word(
        UInt32(bitPattern: signed >> (count &- 32)), UInt32(bitPattern: signed >> 31))
    return Int64(bitPattern: result)
  }

  @inline(__always)
  private static func halves(_ value: UInt64) -> (low: UInt32, high: UInt32) {
    (UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32))
  }

  @inline(__always)
  private static func word(_ low: UInt32, _ high: UInt32) -> UInt64 {
    UInt64(high) << 32 | UInt64(low)
  }

  // MARK: - Quotients

  /// Returns quotient and remainder; for divisor 0, returns 0 and the dividend.
  @inline(__always)
  package static func divide(
    _ dividend: UInt64, by divisor: UInt64
  ) -> (quotient: UInt64, remainder: UInt64) {
    guard divisor != 0, dividend >= divisor else { return (0, dividend) }
    var (quotient, remainder): (UInt64, UInt64) = (0, dividend)
    var place = divisor.leadingZeroBitCount - dividend.leadingZeroBitCount
    var part = shiftLeft(divisor, by: UInt32(truncatingIfNeeded: place))
    while place >= 0 {
      quotient <<= 1
      if remainder >= part {
        remainder &-= part
        quotient |= 1
      }
      part >>= 1
      place &-= 1
    }
    return (quotient, remainder)
  }

  /// The quotient, rounded towards 0, and the remainder, with the dividend's sign.
  @inline(__always)
  package static func divide(
    _ dividend: Int64, by divisor: Int64
  ) -> (quotient: Int64, remainder: Int64) {
    let result: (quotient: UInt64, remainder: UInt64) = divide(
      dividend.magnitude, by: divisor.magnitude)
    let quotient = Int64(bitPattern: result.quotient)
    let remainder = Int64(bitPattern: result.remainder)
    return (
      (dividend < 0) == (divisor < 0) ? quotient : 0 &- quotient,
      dividend < 0 ? 0 &- remainder : remainder
    )
  }

  // MARK: - Conversions

  /// The integer part of a number below 2^63.
  @inline(__always)
  package static func wholePart(_ value: Double) -> Int64 {
    let bits = value.bitPattern
    let exponent = Int32(truncatingIfNeeded: bits >> 52 & 0x7FF) &- 1075
    let fraction = bits & 0xF_FFFF_FFFF_FFFF | 0x10_0000_0000_0000
    guard exponent > -53 else { return 0 }
    let magnitude =
      exponent < 0
      ? shiftRight(fraction, by: UInt32(bitPattern: 0 &- exponent))
      : shiftLeft(fraction, by: UInt32(bitPattern: exponent) & 63)
    return value < 0 ? 0 &- Int64(bitPattern: magnitude) : Int64(bitPattern: magnitude)
  }

  /// The nearest `Double` to an integer. Its halves, as fractions of 2^84 and 2^52, are exact, and
  /// their sum is rounded once.
  @inline(__always)
  package static func double(_ value: Int64) -> Double {
    let bits = UInt64(bitPattern: value)
    let high = Double(bitPattern: 0x453 << 52 | (bits >> 32 ^ 0x8000_0000)) - (0x1p84 + 0x1p63)
    let low = Double(bitPattern: 0x433 << 52 | bits & 0xFFFF_FFFF) - 0x1p52
    return high + low
  }

  @inline(__always)
  package static func double(_ value: UInt64) -> Double {
    let high = Double(bitPattern: 0x453 << 52 | value >> 32) - 0x1p84
    let low = Double(bitPattern: 0x433 << 52 | value & 0xFFFF_FFFF) - 0x1p52
    return high + low
  }

  /// The nearest `Float` to an integer. If a `Double` cannot represent the integer, the bits too
  /// low for the result are replaced by one bit, which is set if any of them is.
  @inline(__always)
  package static func single(_ value: Int64) -> Float {
    guard value.magnitude >> 53 != 0 else { return Float(double(value)) }
    let short = value >> 11 | (value & 0x7FF == 0 ? 0 : 1)
    return Float(double(short)) * 0x1p11
  }

  @inline(__always)
  package static func single(_ value: UInt64) -> Float {
    guard value >> 53 != 0 else { return Float(double(value)) }
    let short = value >> 11 | (value & 0x7FF == 0 ? 0 : 1)
    return Float(double(short)) * 0x1p11
  }
}
