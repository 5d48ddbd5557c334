//===--- Uint8BilinearPixels.swift - pixels between others ----------------===//
//
// y = a + (b - a) · w, first in the row above and in that below, then between the two.
//
// Contract  Each step is rounded, nothing is fused: the same bits on all instruction sets.
// Cost      Nine operations for a vector, and four loads for each pixel.
// Checked   Tests/MartletKernelsTests/Uint8BilinearPixelsTests.swift
//===----------------------------------------------------------------------===//

import MartletMicrokernels

#if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Level {
  package static func uint8BilinearPixels(_ row: Uint8BilinearPixels) {
    let down = Lanes(repeating: row.down)
    var x = 0
    while x < row.count {
      let columns = row.columns + x
      let right: Lanes = joined { SIMD4(repeating: columns[$0].weight) }
      let above = between(
        floats { row.above + columns[$0].lower }, floats { row.above + columns[$0].upper }, right)
      let below = between(
        floats { row.below + columns[$0].lower }, floats { row.below + columns[$0].upper }, right)
      store(between(above, below, down), to: row.y + 4 &* x)
      x &+= Lanes.scalarCount / 4
    }
  }
}

@inline(__always)
private func between(_ a: Lanes, _ b: Lanes, _ weight: Lanes) -> Lanes { a + (b - a) * weight }

/// Pixels of four bytes from different places, a part of a vector each.
@inline(__always)
private func floats(_ pixel: (Int) -> UnsafePointer<UInt8>) -> Lanes {
  @inline(__always) func word(_ part: Int) -> Int32 {
    UnsafeRawPointer(pixel(part)).loadUnaligned(as: Int32.self)
  }
  #if MARTLET_V4 && canImport(_Builtin_intrinsics)
    let words = SIMD4<Int32>(word(0), word(1), word(2), word(3))
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(unsafeBitCast(words, to: __m128i.self)))
  #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
    let words = SIMD4<Int32>(word(0), word(1), 0, 0)
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(unsafeBitCast(words, to: __m128i.self)))
  #else
    return floats(UnsignedBytes.load(pixel(0)))
  #endif
}
