//===--- DSPInstructions.swift - packed arithmetic of Armv7E-M ------------===//
//
// The instructions of the DSP extension that the kernels are written in. With `MARTLET_DSP` they are
// the processor's; otherwise the same arithmetic in plain Swift, so that the kernels can be tested
// on any machine.
//
// Contract  A word holds two 16-bit or four 8-bit integers, the lowest first.
// Source    Arm Architecture Reference Manual, Armv7-M: SMLAD, SXTB16, SMMULR
//===----------------------------------------------------------------------===//

#if MARTLET_DSP
  import Builtin
#endif

/// `sum` plus the products of the signed lower and upper halves.
@inline(__always)
func multiplyAddPairs(_ a: UInt32, _ b: UInt32, _ sum: Int32) -> Int32 {
  #if MARTLET_DSP
    Int32(Builtin.int_arm_smlad(a._value, b._value, sum._value))
  #else
    sum &+ lowerHalf(a) &* lowerHalf(b) &+ upperHalf(a) &* upperHalf(b)
  #endif
}

/// Bytes 0 and 2, sign-extended to halves.
@inline(__always)
func signedEvenBytes(_ word: UInt32) -> UInt32 {
  #if MARTLET_DSP
    UInt32(Builtin.int_arm_sxtb16(word._value))
  #else
    UInt32(UInt16(bitPattern: Int16(Int8(truncatingIfNeeded: word))))
      | UInt32(UInt16(bitPattern: Int16(Int8(truncatingIfNeeded: word &>> 16)))) &<< 16
  #endif
}

/// Bytes 1 and 3, sign-extended to halves.
@inline(__always)
func signedOddBytes(_ word: UInt32) -> UInt32 { signedEvenBytes(word &>> 8 | word &<< 24) }

/// Bytes 0 and 2 as halves.
@inline(__always)
func evenBytes(_ word: UInt32) -> UInt32 {
  // Opaque to the optimizer, which would take the halves apart.
  #if MARTLET_DSP
    UInt32(Builtin.int_arm_uxtb16(word._value))
  #else
    word & 0x00FF_00FF
  #endif
}

/// Bytes 1 and 3 as halves.
@inline(__always)
func oddBytes(_ word: UInt32) -> UInt32 { evenBytes(word &>> 8 | word &<< 24) }

/// The lower halves of two words.
@inline(__always)
func lowerHalves(_ a: UInt32, _ b: UInt32) -> UInt32 { a & 0xFFFF | b &<< 16 }

/// The upper halves of two words.
@inline(__always)
func upperHalves(_ a: UInt32, _ b: UInt32) -> UInt32 { a &>> 16 | b & 0xFFFF_0000 }

@inline(__always)
func lowerHalf(_ word: UInt32) -> Int32 { Int32(Int16(truncatingIfNeeded: word)) }

@inline(__always)
func upperHalf(_ word: UInt32) -> Int32 { Int32(bitPattern: word) &>> 16 }

/// The high word of the product, rounded to nearest with ties upward.
@inline(__always)
func roundedHighProduct(_ a: Int32, _ b: Int32) -> Int32 {
  #if MARTLET_DSP
    let half: Int64 = 0x8000_0000
    let word: Int64 = 32
    let product = Builtin.add_Int64(
      Builtin.mul_Int64(
        Builtin.sext_Int32_Int64(a._value), Builtin.sext_Int32_Int64(b._value)), half._value)
    return Int32(Builtin.trunc_Int64_Int32(Builtin.lshr_Int64(product, word._value)))
  #else
    Int32(truncatingIfNeeded: (Int64(a) &* Int64(b) &+ 0x8000_0000) &>> 32)
  #endif
}
