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
    let (first, second) = ordered(load(panel), load(panel + (vectors &- 1) &* lanes))
    for i in 0..<count {
      results[vectors &* i] = vectors == 1 ? load(panel) : first
      if vectors == 2 { results[2 &* i &+ 1] = second }
    }
    var w = panel + vectors &* lanes &* panelHeaderFields
    for pair in 0..<pairs {
      let (first, second) = (x + tapOffsets[2 &* pair], x + tapOffsets[2 &* pair &+ 1])
      let weights: Sums = load(w)
      let (w0, w1) = ordered(weights, load(w + (vectors &- 1) &* lanes))
      // Written out, because the compiler would not unroll a loop over the pixels.
      add(to: &results, 0, vectors, first, second, weights, (w0, w1))
      if count == 4 {
        add(to: &results, 1, vectors, first, second, weights, (w0, w1))
        add(to: &results, 2, vectors, first, second, weights, (w0, w1))
        add(to: &results, 3, vectors, first, second, weights, (w0, w1))
      }
      w += vectors &* lanes
    }
    let y = sums + pixel &* vectors &* lanes
    for i in 0..<count {
      if vectors == 1 {
        store(results[i], to: y + i &* lanes)
      } else {
        let (a, b) = ordered(results[2 &* i], results[2 &* i &+ 1])
        store(a, to: y + 2 &* i &* lanes)
        store(b, to: y + (2 &* i &+ 1) &* lanes)
      }
    }
  }

  /// Adds the products of two taps of pixel `i` of a block.
  @inline(__always)
  private func add<Pixels: Registers<Sums>>(
    to results: inout Pixels, _ i: Int, _ vectors: Int, _ first: UnsafePointer<Int16>,
    _ second: UnsafePointer<Int16>, _ weights: Sums, _ pair: (Sums, Sums)
  ) {
    let (a, b) = (first + i &* pixelStride, second + i &* pixelStride)
    if vectors == 1 {
      results[i] = addPairs(results[i], loadPairs(a, b), weights)
    } else {
      let (x0, x1) = loadTwoPairs(a, b)
      results[2 &* i] = addPairs(results[2 &* i], x0, pair.0)
      results[2 &* i &+ 1] = addPairs(results[2 &* i &+ 1], x1, pair.1)
    }
  }
}

/// Changes the order of two vectors of channels to that of `loadTwoPairs`, and back.
@inline(__always)
private func ordered(_ a: Sums, _ b: Sums) -> (Sums, Sums) {
  #if MARTLET_V3 && canImport(_Builtin_intrinsics)
    return (
      Sums(lowHalf: a.lowHalf, highHalf: b.lowHalf), Sums(lowHalf: a.highHalf, highHalf: b.highHalf)
    )
  #else
    return (a, b)
  #endif
}

/// `loadPairs` for two vectors of channels, with AVX2 in the order in which it interleaves them.
@inline(__always)
private func loadTwoPairs(
  _ first: UnsafePointer<Int16>, _ second: UnsafePointer<Int16>
) -> (Sums, Sums) {
  #if MARTLET_V3 && canImport(_Builtin_intrinsics)
    let a = unsafeBitCast(load(first) as SIMD16<Int16>, to: __m256i.self)
    let b = unsafeBitCast(load(second) as SIMD16<Int16>, to: __m256i.self)
    let low = unsafeBitCast(_mm256_unpacklo_epi16(a, b), to: Sums.self)
    return (low, unsafeBitCast(_mm256_unpackhi_epi16(a, b), to: Sums.self))
  #elseif MARTLET_V3 || MARTLET_V4
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
