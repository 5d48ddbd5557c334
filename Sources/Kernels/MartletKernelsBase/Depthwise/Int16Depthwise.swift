//===--- Int16Depthwise.swift - 16-bit depthwise loops --------------------===//
//
// y[p][c] = clamp(zeroPoint + factor[c] · (bias[c] + Σ over taps t of x[p + t][c] * w[t][c]))
//
// Reads a band of rows that are widened to 16 bits and padded, with channels rounded up to a whole
// vector, so every output has all taps. Taps are processed in pairs; an odd tap is paired with a
// weight of zero.
//
// Contract  Bit-exact with the reference kernel. |x| and |w| are at most 255. Sums wrap. The
//           weights of a vector of channels: per channel a bias, left factor, mantissa, right
//           exponent and mask, as 32-bit integers; then, for each pair of taps, the channels' pairs
//           of 16-bit integers.
// Cost      2 · pixels · taps · channels operations.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

#if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Level {
  package static func int16Depthwise(_ convolution: Int16Depthwise) {
    let row = Int16DepthwiseRow(
      offsets: convolution.tapOffsets, pairs: convolution.pairs, weights: convolution.weights,
      pixelStride: convolution.pixelStride, channels: convolution.channels,
      range: ByteRange(convolution.output))
    let (pixels, pixelStride) = (convolution.pixels, convolution.pixelStride)
    let (x, y, channels) = (convolution.x, convolution.y, convolution.channels)
    var pixel = 0
    while pixel &+ 4 <= pixels {
      row.compute(Registers4<Sums>.self, x + pixel &* pixelStride, y + pixel &* channels)
      pixel &+= 4
    }
    while pixel < pixels {
      row.compute(Registers1<Sums>.self, x + pixel &* pixelStride, y + pixel &* channels)
      pixel &+= 1
    }
  }
}

private struct Int16DepthwiseRow {
  let offsets: UnsafePointer<Int>
  let pairs: Int
  let weights: UnsafePointer<Int32>
  let pixelStride: Int
  let channels: Int
  let range: ByteRange

  @inline(__always)
  func compute<Pixels: Registers<Sums>>(
    _: Pixels.Type, _ x: UnsafePointer<Int16>, _ y: UnsafeMutablePointer<UInt8>
  ) {
    let (lanes, pixels) = (Sums.scalarCount, Pixels.count)
    var fields = weights
    var channel = 0
    while channel < channels {
      var sums = Pixels(repeating: .zero)
      for pixel in 0..<pixels { sums[pixel] = load(fields) }
      var w = fields + lanes &* panelHeaderFields
      for pair in 0..<pairs {
        let first = x + (offsets[2 &* pair] &+ channel)
        let second = x + (offsets[2 &* pair &+ 1] &+ channel)
        let weights: Sums = load(w)
        for pixel in 0..<pixels {
          sums[pixel] = addPairs(
            sums[pixel],
            loadPairs(first + pixel &* pixelStride, second + pixel &* pixelStride), weights)
        }
        w += lanes
      }
      let factor = Factor(fields, stride: lanes, range)
      #if (MARTLET_V3 && canImport(_Builtin_intrinsics)) || canImport(WebAssemblyIntrinsics)
        if pixels == 4 && channel &+ lanes <= channels && factor.canMove {
          let bytes =
            range.isRectified
            ? pack(&sums, factor, isRectified: true) : pack(&sums, factor, isRectified: false)
          for pixel in 0..<4 {
            UnsafeMutableRawPointer(y + (pixel &* channels &+ channel)).storeBytes(
              of: bytes[pixel], as: type(of: bytes[pixel]))
          }
          fields = w
          channel &+= lanes
          continue
        }
      #endif
      for pixel in 0..<pixels {
        storeLowBytes(
          factor.scale(sums[pixel], range), to: y + (pixel &* channels &+ channel),
          channels &- channel)
      }
      fields = w
      channel &+= lanes
    }
  }
}

#if (MARTLET_V3 && canImport(_Builtin_intrinsics)) || canImport(WebAssemblyIntrinsics)
  extension Int16DepthwiseRow {
    #if MARTLET_V3
      typealias Bytes = SIMD4<Int64>
    #else
      typealias Bytes = SIMD4<Int32>
    #endif

    /// Converts the sums of four pixels to bytes, a vector of each.
    @inline(__always)
    private func pack<Pixels: Registers<Sums>>(
      _ sums: inout Pixels, _ factor: Factor, isRectified: Bool
    ) -> Bytes {
      let count = Pixels.count
      return range.pack(
        factor.move(sums[0], range, isRectified: isRectified),
        factor.move(sums[1 % count], range, isRectified: isRectified),
        factor.move(sums[2 % count], range, isRectified: isRectified),
        factor.move(sums[3 % count], range, isRectified: isRectified))
    }
  }
#endif

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
