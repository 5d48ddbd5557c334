//===--- Uint8BilinearPixels.swift - bilinear pixel sampling --------------===//
//
// Interpolates linearly, y = a + (b - a) · w: along the row above and the row below, then between
// the two.
//
// Contract  Each step is rounded without fused multiply-add, so all instruction sets give the same
//           bits.
// Cost      Nine operations per vector, and four loads per pixel; along a slope about twelve more
//           per pixel to compute its position.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

#if arch(x86_64) && canImport(_Builtin_intrinsics)
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

extension Level {
  package static func uint8SlopePixels(_ slope: Uint8SlopePixels) {
    let parts = Lanes.scalarCount / 4
    var x = 0
    while x < slope.count {
      let taps = SlopeTaps(slope, x)
      for first in stride(from: 0, to: 4, by: parts) {
        @inline(__always) func pixels(_ places: SIMD4<Int32>) -> Lanes {
          floats { slope.pixels + Int(places[first &+ $0]) }
        }
        let right: Lanes = joined { SIMD4(repeating: taps.right[first &+ $0]) }
        let down: Lanes = joined { SIMD4(repeating: taps.down[first &+ $0]) }
        let above = between(pixels(taps.upper), pixels(taps.upper &+ taps.across), right)
        let below = between(pixels(taps.lower), pixels(taps.lower &+ taps.across), right)
        store(between(above, below, down), to: slope.y + 4 &* (x &+ first))
      }
      x &+= 4
    }
  }
}

/// The positions in the image of four pixels of a slope.
private struct SlopeTaps {
  /// The byte offsets of the upper left and lower left pixels, and the offset from left to right.
  let upper, lower, across: SIMD4<Int32>
  /// The distances from the left and upper pixels.
  let right, down: SIMD4<Float>

  @inline(__always)
  init(_ slope: Uint8SlopePixels, _ index: Int) {
    let steps = SIMD4<Float>(0, 1, 2, 3) + Float(index)
    let last = (
      x: Int32(truncatingIfNeeded: slope.width) &- 1,
      y: Int32(truncatingIfNeeded: slope.height) &- 1
    )
    let x = clamp(slope.startX + steps * slope.stepX, .zero, SIMD4(repeating: Float(last.x)))
    let y = clamp(slope.startY + steps * slope.stepY, .zero, SIMD4(repeating: Float(last.y)))
    let (left, top) = (truncated(x), truncated(y))
    let width = Int32(truncatingIfNeeded: slope.width)
    // A set mask is -1: steps one pixel to the right and down, except at the last column and row.
    across = 0 &- (step(left, last.x) &<< 2)
    upper = (top &* width &+ left) &<< 2
    lower = upper &- (step(top, last.y) &* (width &<< 2))
    right = x - SIMD4(left)
    down = y - SIMD4(top)
  }
}

/// -1 in lanes that have a next position, else 0.
@inline(__always)
private func step(_ place: SIMD4<Int32>, _ last: Int32) -> SIMD4<Int32> {
  SIMD4.zero.replacing(with: -1, where: place .< last)
}

/// Truncates values that are not negative.
@inline(__always)
private func truncated(_ value: SIMD4<Float>) -> SIMD4<Int32> {
  #if arch(x86_64) && canImport(_Builtin_intrinsics)
    unsafeBitCast(_mm_cvttps_epi32(value), to: SIMD4<Int32>.self)
  #else
    SIMD4(Int32(value[0]), Int32(value[1]), Int32(value[2]), Int32(value[3]))
  #endif
}

@inline(__always)
private func between(_ a: Lanes, _ b: Lanes, _ weight: Lanes) -> Lanes { a + (b - a) * weight }

/// Loads four-byte pixels from different addresses into the parts of a vector.
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
