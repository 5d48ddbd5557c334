//===--- HeliumInstructions.swift - vector arithmetic of Armv8.1-M --------===//
//
// The instructions of Helium that the kernels are written in and the compiler does not choose by
// itself. With `MARTLET_HELIUM` they are the processor's; otherwise the same arithmetic in plain
// Swift, so that the kernels can be tested on any machine.
//
// Contract  Vectors have 16 bytes; memory need not be aligned.
// Source    Armv8-M Architecture Reference Manual: VMLADAVA, VMULLB, VMULLT, VQRDMULH, VRSHL, VSTRB
//===----------------------------------------------------------------------===//

#if MARTLET_HELIUM
  import Builtin
#endif

/// The 16 bytes at an address.
@inline(__always)
func vector(_ address: UnsafeRawPointer) -> SIMD16<Int8> {
  unsafe address.loadUnaligned(as: SIMD16<Int8>.self)
}

/// The first bytes at an address, 16 at most, then those of the padding; there is at least one.
@inline(__always)
func vector(
  _ address: UnsafeRawPointer, count: Int, padding: SIMD16<Int8>
) -> SIMD16<Int8> {
  var result = padding
  #if MARTLET_HELIUM
    let alignment: Int32 = 1
    result._storage._value = Builtin.int_masked_load_Vec16xInt8_RawPointer(
      address._rawValue, alignment._value,
      Builtin.int_arm_mve_vctp8(Int32(truncatingIfNeeded: count)._value), result._storage._value)
  #else
    for i in 0..<min(count, 16) { result[i] = unsafe signedBytes(address)[i] }
  #endif
  return result
}

/// `sum` plus the 16 products of signed bytes.
@inline(__always)
func multiplyAdd(_ a: SIMD16<Int8>, _ b: SIMD16<Int8>, _ sum: Int32) -> Int32 {
  #if MARTLET_HELIUM
    let no: Int32 = 0
    return Int32(
      Builtin.int_arm_mve_vmldava_Vec16xInt8(
        no._value, no._value, no._value, sum._value, a._storage._value, b._storage._value))
  #else
    var sum = sum
    for i in 0..<16 { sum &+= Int32(a[i]) &* Int32(b[i]) }
    return sum
  #endif
}

/// The products of the elements with even indices, or those with odd ones.
@inline(__always)
func products(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>, odd: Bool) -> SIMD4<Int32> {
  #if MARTLET_HELIUM
    let (no, yes): (Int32, Int32) = (0, 1)
    var result = SIMD4<Int32>()
    result._storage._value =
      odd
      ? Builtin.int_arm_mve_vmull_Vec4xInt32_Vec8xInt16(
        a._storage._value, b._storage._value, no._value, yes._value)
      : Builtin.int_arm_mve_vmull_Vec4xInt32_Vec8xInt16(
        a._storage._value, b._storage._value, no._value, no._value)
    return result
  #else
    let (a, b) = odd ? (a.oddHalf, b.oddHalf) : (a.evenHalf, b.evenHalf)
    return SIMD4(truncatingIfNeeded: a) &* SIMD4(truncatingIfNeeded: b)
  #endif
}

/// The high words of `2 a b`, rounded to nearest with ties upward.
@inline(__always)
func doublingHighProducts(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD4<Int32> {
  var result = SIMD4<Int32>()
  #if MARTLET_HELIUM
    result._storage._value = Builtin.int_arm_mve_vqrdmulh_Vec4xInt32(
      a._storage._value, b._storage._value)
  #else
    for i in 0..<4 { result[i] = doublingHighProduct(a[i], b[i]) }
  #endif
  return result
}

/// The values times `2^shift`, rounded to nearest with ties upward; the shifts are -31...-1.
@inline(__always)
func roundedShift(_ values: SIMD4<Int32>, by shift: SIMD4<Int32>) -> SIMD4<Int32> {
  #if MARTLET_HELIUM
    let (no, yes): (Int32, Int32) = (0, 1)
    var result = SIMD4<Int32>()
    result._storage._value = Builtin.int_arm_mve_vshl_vector_Vec4xInt32_Vec4xInt32(
      values._storage._value, shift._storage._value, no._value, yes._value, no._value)
    return result
  #else
    let one = SIMD4<Int32>(repeating: 1)
    return (values &+ one &<< (0 &- shift &- one)) &>> (0 &- shift)
  #endif
}

/// Stores the low byte of each value at its offset.
@inline(__always)
func scatter(
  _ values: SIMD4<Int32>, to target: UnsafeMutableRawPointer, offsets: SIMD4<Int32>
) {
  #if MARTLET_HELIUM
    let (no, width): (Int32, Int32) = (0, 8)
    Builtin.int_arm_mve_vstr_scatter_offset_RawPointer_Vec4xInt32_Vec4xInt32(
      target._rawValue, offsets._storage._value, values._storage._value, width._value, no._value)
  #else
    for i in 0..<4 {
      unsafe target.storeBytes(
        of: UInt8(truncatingIfNeeded: values[i]), toByteOffset: Int(offsets[i]), as: UInt8.self)
    }
  #endif
}
