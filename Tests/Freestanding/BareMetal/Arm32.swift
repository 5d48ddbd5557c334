//===--- Arm32.swift - run-time helpers for 32-bit Arm --------------------===//
//
// The helper functions of the run-time ABI that the programs use. Floating-point numbers are passed
// as their bits.
//
// Source    ARM IHI 0043, Run-time ABI for the Arm Architecture
//===----------------------------------------------------------------------===//

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

// MARK: - 64-bit integers

@_cdecl("__aeabi_llsl")
func shiftLeft(_ value: UInt64, _ count: UInt32) -> UInt64 {
  Arithmetic.shiftLeft(value, by: count)
}

@_cdecl("__aeabi_llsr")
func shiftRight(_ value: UInt64, _ count: UInt32) -> UInt64 {
  Arithmetic.shiftRight(value, by: count)
}

@_cdecl("__aeabi_lasr")
func shiftRightSigned(_ value: Int64, _ count: UInt32) -> Int64 {
  Arithmetic.shiftRight(value, by: count)
}

// The ABI returns quotient and remainder in registers 0 to 3, as Swift returns two 64-bit words.

@_silgen_name("__aeabi_uldivmod")
func divide(_ dividend: UInt64, _ divisor: UInt64) -> (quotient: UInt64, remainder: UInt64) {
  Arithmetic.divide(dividend, by: divisor)
}

@_silgen_name("__aeabi_ldivmod")
func divideSigned(_ dividend: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
  Arithmetic.divide(dividend, by: divisor)
}

@_cdecl("__aeabi_d2lz")
func wholePart(ofDouble bits: UInt64) -> Int64 { Arithmetic.wholePart(Double(bitPattern: bits)) }

@_cdecl("__aeabi_f2lz")
func wholePart(ofSingle bits: UInt32) -> Int64 {
  Arithmetic.wholePart(Double(Float(bitPattern: bits)))
}

@_cdecl("__aeabi_l2d")
func double(_ value: Int64) -> UInt64 { Arithmetic.double(value).bitPattern }

@_cdecl("__aeabi_l2f")
func single(_ value: Int64) -> UInt32 { Arithmetic.single(value).bitPattern }

@_cdecl("__aeabi_ul2d")
func double(_ value: UInt64) -> UInt64 { Arithmetic.double(value).bitPattern }

@_cdecl("__aeabi_ul2f")
func single(_ value: UInt64) -> UInt32 { Arithmetic.single(value).bitPattern }
