//===--- Int16Depthwise.swift - each channel by its own filter, integers --===//
//
// y[p][c] = clamp(zeroPoint + factor[c] · (bias[c] + Σ over taps t of x[p + t][c] * w[t][c]))
//
// Reads a band of rows that are already widened to 16 bits, with their borders, and channels filled
// up to a multiple of eight: each output sees all taps. Taps are taken in pairs, for the
// instruction that multiplies pairs; an odd tap is paired with a weight of zero.
//
// Contract  Bit for bit the reference kernel. |x| and |w| are at most 255. Sums wrap.
//           Weights for eight channels: [8] each of biases, left factors, mantissas, right
//           exponents and masks, as 32-bit integers; then [pairs][8][2] as 16-bit integers.
// Cost      2 · pixels · taps · channels operations.
// Checked   Tests/MartletKernelsTests/QuantizedDepthwiseTests.swift
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Loops {
  /// Computes `pixels` neighbouring outputs of `channels` channels. `x` points to the first output's
  /// first tap, `offsets` has the distance of each tap from it, in elements.
  package static func int16Depthwise(
    _ x: UnsafePointer<Int16>, offsets: UnsafePointer<Int>, pairs: Int,
    weights: UnsafePointer<Int32>, pixels: Int, pixelStride: Int, channels: Int,
    _ y: UnsafeMutablePointer<UInt8>,
    zeroPoint: Int32, low: Int32, high: Int32, shiftsLeft: Bool
  ) {
    let range = ByteRange(zeroPoint: zeroPoint, low: low, high: high, shiftsLeft: shiftsLeft)
    var x = x
    var y = y
    var pixels = pixels
    while pixels >= 2 {
      let zero = InlineArray<2, SIMD4<Int32>>(repeating: .zero)
      row(zero, x, offsets, pairs, weights, pixelStride, channels, y, range)
      x += 2 &* pixelStride
      y += 2 &* channels
      pixels &-= 2
    }
    if pixels > 0 {
      let zero = InlineArray<1, SIMD4<Int32>>(repeating: .zero)
      row(zero, x, offsets, pairs, weights, pixelStride, channels, y, range)
    }
  }
}

@inline(__always)
private func row<let pixels: Int>(
  _ zero: InlineArray<pixels, SIMD4<Int32>>, _ x: UnsafePointer<Int16>,
  _ offsets: UnsafePointer<Int>, _ pairs: Int, _ weights: UnsafePointer<Int32>,
  _ pixelStride: Int, _ channels: Int, _ y: UnsafeMutablePointer<UInt8>, _ range: ByteRange
) {
  var fields = weights
  var c = 0
  while c < channels {
    var left = InlineArray<pixels, SIMD4<Int32>>(repeating: load(fields))
    var right = InlineArray<pixels, SIMD4<Int32>>(repeating: load(fields + 4))
    var w = fields + 8 &* panelHeaderFields
    for pair in 0..<pairs {
      let first = x + (offsets[2 &* pair] &+ c)
      let second = x + (offsets[2 &* pair &+ 1] &+ c)
      let w0: SIMD4<Int32> = load(w)
      let w1: SIMD4<Int32> = load(w + 4)
      for pixel in 0..<pixels {
        let (low, high) = interleave(
          load(first + pixel &* pixelStride), load(second + pixel &* pixelStride))
        left[pixel] = .addPairs(left[pixel], low, w0)
        right[pixel] = .addPairs(right[pixel], high, w1)
      }
      w += 8
    }
    for pixel in 0..<pixels {
      let first = requantize(left[pixel], fields, 8, range)
      let second = requantize(right[pixel], fields + 4, 8, range)
      let y = y + (pixel &* channels &+ c)
      if c &+ 8 <= channels {
        first.storeLowBytes(to: y)
        second.storeLowBytes(to: y + 4)
      } else {
        for j in 0..<channels &- c {
          y[j] = UInt8(truncatingIfNeeded: j < 4 ? first[j] : second[j &- 4])
        }
      }
    }
    fields = UnsafePointer(w)
    c &+= 8
  }
}

/// Pairs of lanes of `a` and `b`, those of the low and those of the high half.
@inline(__always)
private func interleave(
  _ a: SIMD8<Int16>, _ b: SIMD8<Int16>
) -> (SIMD4<Int32>, SIMD4<Int32>) {
  #if arch(x86_64) && canImport(_Builtin_intrinsics)
    let a = unsafeBitCast(a, to: __m128i.self)
    let b = unsafeBitCast(b, to: __m128i.self)
    return (
      unsafeBitCast(_mm_unpacklo_epi16(a, b), to: SIMD4<Int32>.self),
      unsafeBitCast(_mm_unpackhi_epi16(a, b), to: SIMD4<Int32>.self)
    )
  #else
    return (pairs(a.lowHalf, b.lowHalf), pairs(a.highHalf, b.highHalf))
  #endif
}

#if !(arch(x86_64) && canImport(_Builtin_intrinsics))
  @inline(__always)
  private func pairs(_ a: SIMD4<Int16>, _ b: SIMD4<Int16>) -> SIMD4<Int32> {
    let low = SIMD4<Int32>(truncatingIfNeeded: a) & SIMD4(repeating: 0xffff)
    return low | (SIMD4<Int32>(truncatingIfNeeded: b) &<< SIMD4(repeating: 16))
  }
#endif
