//===--- Int16Depthwise.swift - 16-bit depthwise loops --------------------===//
//
// sum[p][c] = bias[c] + Σ over taps t of x[p + t][c] * w[t][c]
//
// Reads a band of rows that are widened to 16 bits and padded, with channels rounded up to a whole
// vector, so every output has all taps. Taps are processed in pairs; an odd tap is paired with a
// weight of zero.
//
// Contract  Exact. |x| and |w| are at most 255; sums wrap.
// Cost      2 · pixels · taps · channels operations.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

#if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Level {
  package static func int16Depthwise(_ sums: Int16Depthwise) {
    let isWide = sums.width > Sums.scalarCount
    var pixel = 0
    while pixel &+ 4 <= sums.pixels {
      if isWide {
        sums.compute(Registers8<Sums>.self, 2, pixel)
      } else {
        sums.compute(Registers4<Sums>.self, 1, pixel)
      }
      pixel &+= 4
    }
    while pixel < sums.pixels {
      if isWide {
        sums.compute(Registers2<Sums>.self, 2, pixel)
      } else {
        sums.compute(Registers1<Sums>.self, 1, pixel)
      }
      pixel &+= 1
    }
  }
}

extension Int16Depthwise {
  /// Computes the sums of some pixels, with `vectors` registers each.
  @inline(__always)
  fileprivate func compute<Pixels: Registers<Sums>>(
    _: Pixels.Type, _ vectors: Int, _ pixel: Int
  ) {
    let lanes = Sums.scalarCount
    let count = Pixels.count / vectors
    let x = x + pixel &* pixelStride
    var results = Pixels(repeating: .zero)
    for i in 0..<Pixels.count { results[i] = load(panel + i % vectors &* lanes) }
    var w = panel + vectors &* lanes &* panelHeaderFields
    for pair in 0..<pairs {
      let (first, second) = (x + tapOffsets[2 &* pair], x + tapOffsets[2 &* pair &+ 1])
      let (w0, w1): (Sums, Sums) = (load(w), load(w + (vectors &- 1) &* lanes))
      @inline(__always) func add(_ i: Int) {
        let (a, b) = (first + i &* pixelStride, second + i &* pixelStride)
        if vectors == 1 {
          results[i] = addPairs(results[i], loadPairs(a, b), w0)
        } else {
          let (x0, x1) = loadTwoPairs(a, b)
          results[2 &* i] = addPairs(results[2 &* i], x0, w0)
          results[2 &* i &+ 1] = addPairs(results[2 &* i &+ 1], x1, w1)
        }
      }
      // The compiler does not unroll such a loop.
      add(0)
      if count == 4 {
        add(1)
        add(2)
        add(3)
      }
      w += vectors &* lanes
    }
    let y = sums + pixel &* vectors &* lanes
    for i in 0..<Pixels.count { store(results[i], to: y + i &* lanes) }
  }
}

/// `loadPairs` for two vectors of channels.
@inline(__always)
private func loadTwoPairs(
  _ first: UnsafePointer<Int16>, _ second: UnsafePointer<Int16>
) -> (Sums, Sums) {
  #if MARTLET_V3 || MARTLET_V4
    let lanes = Sums.scalarCount
    return (loadPairs(first, second), loadPairs(first + lanes, second + lanes))
  #else
    // Loaded as a vector of another type, the compiler would load halves.
    let x = UnsafeRawPointer(first).loadUnaligned(as: Sums.self)
    let y = UnsafeRawPointer(second).loadUnaligned(as: Sums.self)
    let a = unsafeBitCast(x, to: SIMD8<Int16>.self)
    let b = unsafeBitCast(y, to: SIMD8<Int16>.self)
    let low = SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])
    let high = SIMD8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
    return (unsafeBitCast(low, to: Sums.self), unsafeBitCast(high, to: Sums.self))
  #endif
}

/// Pairs the elements of two taps, channel by channel.
@inline(__always)
private func loadPairs(_ first: UnsafePointer<Int16>, _ second: UnsafePointer<Int16>) -> Sums {
  #if MARTLET_V4 && canImport(_Builtin_intrinsics)
    let a = unsafeBitCast(load(first) as SIMD16<Int16>, to: __m256i.self)
    let b = unsafeBitCast(load(second) as SIMD16<Int16>, to: __m256i.self)
    let low = unsafeBitCast(_mm512_cvtepu16_epi32(a), to: Sums.self)
    let high = unsafeBitCast(_mm512_cvtepu16_epi32(b), to: Sums.self)
    return low | (high &<< Sums(repeating: 16))
  #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
    let a = unsafeBitCast(load(first) as SIMD8<Int16>, to: __m128i.self)
    let b = unsafeBitCast(load(second) as SIMD8<Int16>, to: __m128i.self)
    let low = unsafeBitCast(_mm256_cvtepu16_epi32(a), to: Sums.self)
    let high = unsafeBitCast(_mm256_cvtepu16_epi32(b), to: Sums.self)
    return low | (high &<< Sums(repeating: 16))
  #else
    let a: SIMD4<Int16> = load(first)
    let b: SIMD4<Int16> = load(second)
    return unsafeBitCast(
      SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]), to: Sums.self)
  #endif
}
