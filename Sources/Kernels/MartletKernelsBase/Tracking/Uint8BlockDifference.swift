//===--- Uint8BlockDifference.swift - difference of blocks ----------------===//
//
// Checked   Tests/MartletKernelsTests/Uint8BlockDifferenceTests.swift
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Level {
  package static func uint8BlockDifference(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, stride: Int
  ) -> Int {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      var sums = SIMD2<Int64>.zero
      for row in 0..<16 {
        let x = UnsafeRawPointer(a + row &* stride).loadUnaligned(as: __m128i.self)
        let y = UnsafeRawPointer(b + row &* stride).loadUnaligned(as: __m128i.self)
        sums &+= _mm_sad_epu8(x, y)
      }
      return Int(sums[0] &+ sums[1])
    #else
      return plainBlockDifference(a, b, stride: stride)
    #endif
  }
}

/// `uint8BlockDifference` without the special instruction.
@inline(__always)
func plainBlockDifference(
  _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, stride: Int
) -> Int {
  var sum = SIMD16<UInt16>.zero
  for row in 0..<16 {
    let x: SIMD16<UInt8> = load(a + row &* stride)
    let y: SIMD16<UInt8> = load(b + row &* stride)
    let isLess = x .< y
    let difference = x.replacing(with: y, where: isLess) &- y.replacing(with: x, where: isLess)
    sum &+= SIMD16(truncatingIfNeeded: difference)
  }
  return Int(SIMD16<UInt32>(truncatingIfNeeded: sum).wrappedSum())
}
