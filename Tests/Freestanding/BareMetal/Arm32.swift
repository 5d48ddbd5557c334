//===--- Arm32.swift - 64-bit arithmetic that 32-bit Arm leaves to functions ===//
//
// The compiler's helpers of the run-time ABI, those that are used here. Floating-point numbers are passed to
// them as their bits.
//
// Source    ARM IHI 0043, Run-time ABI for the Arm Architecture
//===----------------------------------------------------------------------===//

#if arch(arm)
  import MartletFreestanding

  // MARK: - Memory

  @_cdecl("__aeabi_memcpy")
  func copyMemory(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int) {
    MemoryOperations.copy(target, source, count)
  }

  @_cdecl("__aeabi_memmove")
  func moveMemory(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int) {
    MemoryOperations.move(target, source, count)
  }

  @_cdecl("__aeabi_memset")
  func fillMemory(_ target: UnsafeMutableRawPointer, _ count: Int, _ byte: Int32) {
    MemoryOperations.fill(target, UInt8(truncatingIfNeeded: byte), count)
  }

  @_cdecl("__aeabi_memclr")
  func clearMemory(_ target: UnsafeMutableRawPointer, _ count: Int) {
    MemoryOperations.fill(target, 0, count)
  }

  // MARK: - Shifts by 0 to 63

  @_cdecl("__aeabi_llsl")
  func shiftLeft(_ value: UInt64, _ count: UInt32) -> UInt64 {
    let (low, high) = halves(value)
    if count >= 32 { return word(0, low << (count &- 32)) }
    return word(low << count, high << count | (low >> 1) >> (31 &- count))
  }

  @_cdecl("__aeabi_llsr")
  func shiftRight(_ value: UInt64, _ count: UInt32) -> UInt64 {
    let (low, high) = halves(value)
    if count >= 32 { return word(high >> (count &- 32), 0) }
    return word(low >> count | (high << 1) << (31 &- count), high >> count)
  }

  @_cdecl("__aeabi_lasr")
  func shiftRightSigned(_ value: UInt64, _ count: UInt32) -> UInt64 {
    let (low, high) = halves(value)
    let signed = Int32(bitPattern: high)
    if count >= 32 {
      return word(UInt32(bitPattern: signed >> (count &- 32)), UInt32(bitPattern: signed >> 31))
    }
    return word(low >> count | (high << 1) << (31 &- count), UInt32(bitPattern: signed >> count))
  }

  private func halves(_ value: UInt64) -> (low: UInt32, high: UInt32) {
    (UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32))
  }

  private func word(_ low: UInt32, _ high: UInt32) -> UInt64 { UInt64(high) << 32 | UInt64(low) }

  // MARK: - Division

  // Quotient and remainder come back in registers 0 to 3, as Swift returns two words of 64 bits.

  @_silgen_name("__aeabi_uldivmod")
  func divide(_ dividend: UInt64, by divisor: UInt64) -> (quotient: UInt64, remainder: UInt64) {
    var (quotient, remainder): (UInt64, UInt64) = (0, dividend)
    guard divisor != 0, dividend >= divisor else { return (0, dividend) }
    var place = divisor.leadingZeroBitCount - dividend.leadingZeroBitCount
    var part = divisor << UInt64(place)
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

  @_silgen_name("__aeabi_ldivmod")
  func divide(_ dividend: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = divide(dividend.magnitude, by: divisor.magnitude)
    let (q, r) = (Int64(bitPattern: quotient), Int64(bitPattern: remainder))
    return ((dividend < 0) == (divisor < 0) ? q : 0 &- q, dividend < 0 ? 0 &- r : r)
  }

  // MARK: - Conversions

  /// The whole part of a `Double`.
  @_cdecl("__aeabi_d2lz")
  func wholePart(ofDouble bits: UInt64) -> Int64 {
    let exponent = Int32(truncatingIfNeeded: bits >> 52 & 0x7FF) &- 1075
    let fraction = bits & 0xF_FFFF_FFFF_FFFF | 0x10_0000_0000_0000
    guard exponent > -53 else { return 0 }
    let magnitude =
      exponent < 0 ? fraction >> UInt64(0 &- exponent) : fraction << UInt64(exponent & 63)
    return bits >> 63 == 0 ? Int64(bitPattern: magnitude) : 0 &- Int64(bitPattern: magnitude)
  }

  /// The whole part of a `Float`.
  @_cdecl("__aeabi_f2lz")
  func wholePart(ofSingle bits: UInt32) -> Int64 {
    wholePart(ofDouble: Double(Float(bitPattern: bits)).bitPattern)
  }

  /// The `Double` nearest to a whole number: its halves, as the fractions of 2^84 and 2^52, are exact, and
  /// their sum is rounded once. Written without a conversion, which the compiler would make a call of this.
  @_cdecl("__aeabi_l2d")
  func double(_ value: Int64) -> UInt64 {
    let bits = UInt64(bitPattern: value)
    let high = Double(bitPattern: 0x453 << 52 | (bits >> 32 ^ 0x8000_0000)) - (0x1p84 + 0x1p63)
    let low = Double(bitPattern: 0x433 << 52 | bits & 0xFFFF_FFFF) - 0x1p52
    return (high + low).bitPattern
  }

  /// The `Float` nearest to a whole number. Of a number that a `Double` can't hold, the bits that do not reach
  /// into the result are one, which tells whether there are any.
  @_cdecl("__aeabi_l2f")
  func single(_ value: Int64) -> UInt32 {
    if value.magnitude >> 53 == 0 {
      return Float(Double(bitPattern: double(value))).bitPattern
    }
    let short = value >> 11 | (value & 0x7FF == 0 ? 0 : 1)
    return (Float(Double(bitPattern: double(short))) * 0x1p11).bitPattern
  }
#endif
