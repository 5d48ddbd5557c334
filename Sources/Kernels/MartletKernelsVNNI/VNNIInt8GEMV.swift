//===--- VNNIInt8GEMV.swift - byte matrix-vector product ------------------===//
//
// y[j] = clamp(zeroPoint + round(factor[j] · (bias[j] + term + Σ over k of x[k] * w[k][j])))
//
// As `Int8GEMM.swift`, for one row and with the scaling of fully connected layers, in double
// precision. A panel is 64 columns wide, with columns in order. A header has 16 biases, a gap of
// the same size, and 16 factors.
//
// Contract  Bit-exact with `RealRequantizer`: ties away from zero.
// Cost      2 · depth · 64 operations, limited by the memory bandwidth of the weights.
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import _Builtin_intrinsics.intel

extension Level {
  package static func int8GEMV(_ arguments: Int8GEMV) {
    let (panel, y, columns) = (arguments.panel, arguments.y, arguments.columns)
    let product = Int8Product(
      x: Matrix(arguments.x, rowStride: 0), quads: arguments.quads, panel: panel,
      flip: arguments.flip)
    var sums = product.tile(Registers4<Sums>.self, 4, 0, 1)
    let scaling = RealScaling(
      zeroPoint: __m512i(repeating: Int64(arguments.zeroPoint)),
      low: __m512i(repeating: Int64(arguments.low)),
      high: __m512i(repeating: Int64(arguments.high)))
    for v in 0..<4 {
      let sum = sums[v] &+ Sums(repeating: arguments.term)
      let factors = UnsafeRawPointer(panel + (v &* byteHeaderCount &+ 32))
      let first = scaling.scale(
        sum.lowHalf, factors.loadUnaligned(as: SIMD8<Double>.self))
      let second = scaling.scale(
        sum.highHalf, factors.loadUnaligned(fromByteOffset: 64, as: SIMD8<Double>.self))
      let left = columns &- 16 &* v
      let dest = UnsafeMutableRawPointer(y + 16 &* v)
      if left >= 16 {
        dest.storeBytes(of: __m128i(first, second), as: __m128i.self)
      } else if left > 0 {
        let mask = UInt16(truncatingIfNeeded: byteMask(left))
        _mm_mask_storeu_epi8(dest, mask, __m128i(first, second))
      }
    }
  }
}

private struct RealScaling {
  let zeroPoint: __m512i
  let low: __m512i
  let high: __m512i

  /// Converts eight sums to bytes.
  @inline(__always)
  func scale(_ sums: SIMD8<Int32>, _ factors: SIMD8<Double>) -> Int64 {
    let exact = _mm512_cvtepi32_pd(unsafeBitCast(sums, to: __m256i.self)) * factors
    let real = _mm512_max_pd(
      _mm512_min_pd(exact, SIMD8(repeating: Double(Int32.max))),
      SIMD8(repeating: Double(Int32.min)))
    let whole = _mm512_cvttpd_epi64(real)
    let rest = real - _mm512_cvtepi64_pd(whole)
    // Twice the remainder, which is exact, truncated: -1, 0 or 1.
    let nearest = _mm512_add_epi64(whole, _mm512_cvttpd_epi64(rest + rest))
    let moved = _mm512_add_epi64(nearest, zeroPoint)
    let limited = _mm512_max_epi64(_mm512_min_epi64(moved, high), low)
    return _mm512_cvtepi64_epi8(limited)[0]
  }
}
