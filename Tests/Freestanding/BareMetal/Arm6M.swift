//===--- Arm6M.swift - run-time helpers for ARMv6-M -----------------------===//
//
// The instructions that a Cortex-M0+ lacks: division, products of 64 bits, leading zeros.
//
// Source    ARM IHI 0043, Run-time ABI for the Arm Architecture
//===----------------------------------------------------------------------===//

@_silgen_name("__aeabi_uidivmod")
func divideWords(_ dividend: UInt32, _ divisor: UInt32) -> (quotient: UInt32, remainder: UInt32) {
  var quotient: UInt32 = 0
  var remainder: UInt32 = 0
  var bit: UInt32 = 1 << 31
  while bit != 0 {
    remainder = remainder &<< 1 | (dividend & bit != 0 ? 1 : 0)
    if remainder >= divisor {
      remainder &-= divisor
      quotient |= bit
    }
    bit &>>= 1
  }
  return (quotient, remainder)
}

@_cdecl("__aeabi_uidiv")
func quotient(_ dividend: UInt32, _ divisor: UInt32) -> UInt32 {
  divideWords(dividend, divisor).quotient
}

@_cdecl("__aeabi_idiv")
func signedQuotient(_ dividend: Int32, _ divisor: Int32) -> Int32 {
  let magnitude = Int32(bitPattern: quotient(dividend.magnitude, divisor.magnitude))
  return dividend ^ divisor < 0 ? 0 &- magnitude : magnitude
}

/// Multiplies 64-bit integers, whose low words come first, from products of 16-bit parts.
@_silgen_name("__aeabi_lmul")
func multiply(
  _ aLow: UInt32, _ aHigh: UInt32, _ bLow: UInt32, _ bHigh: UInt32
) -> (low: UInt32, high: UInt32) {
  let cross = aLow &* bHigh &+ aHigh &* bLow
  let (a0, a1) = (aLow & 0xFFFF, aLow &>> 16)
  let (b0, b1) = (bLow & 0xFFFF, bLow &>> 16)
  var high = a1 &* b1 &+ cross
  // The sum of the products in the middle may have 33 bits.
  let (middle, carries) = (a0 &* b1).addingReportingOverflow(a1 &* b0)
  if carries { high &+= 1 << 16 }
  let (low, carriesAgain) = (a0 &* b0).addingReportingOverflow(middle &<< 16)
  return (low, high &+ middle &>> 16 &+ (carriesAgain ? 1 : 0))
}

@_cdecl("__clzsi2")
func leadingZeros(_ value: UInt32) -> Int32 {
  var count: Int32 = 0
  var rest = value
  while count < 32, rest >> 31 == 0 {
    rest &<<= 1
    count &+= 1
  }
  return count
}

@_cdecl("__atomic_load_4")
func load(_ address: UnsafePointer<UInt32>, _ order: Int32) -> UInt32 { address.pointee }

@_cdecl("__atomic_store_4")
func store(_ address: UnsafeMutablePointer<UInt32>, _ value: UInt32, _ order: Int32) {
  address.pointee = value
}
