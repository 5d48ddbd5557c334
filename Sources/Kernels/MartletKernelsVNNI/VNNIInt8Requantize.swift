//===--- VNNIInt8Requantize.swift - sums to bytes -------------------------===//
//
// y[j] = clamp(zeroPoint + factor[j] · sum[j])
//
// A factor of 2^-r · mantissa / 2^31 rounds twice: x = ⌊(v·m + 2^30) / 2^31⌋, then x / 2^r to
// nearest, ties away from zero. Nested floors combine into one, so that
//
//   y = ((v·m + 2^30 + 2^(30 + r) - (v < 0 ? 2^31 : 0)) >> (31 + r)) + zeroPoint
//
// in 64 bits, for r >= 1. If x is zero but v is not, either sign gives zero. Odd lanes are shifted
// 32 bits less, so that their results are already in position. The sign only decides ties of
// negative sums, so it is omitted if the range excludes values below the zero point.
//
// Contract  Bit-exact with `Requantizer` for right shifts of 1...31.
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import _Builtin_intrinsics.intel

/// The factors of the columns of a vector.
struct ByteFactor {
  private let even: __m512i
  private let odd: __m512i
  private let evenOffset: __m512i
  private let oddOffset: __m512i
  private let evenShift: __m512i
  private let oddShift: __m512i

  @inline(__always)
  init(_ header: UnsafePointer<Int32>) {
    let fields = UnsafeRawPointer(header)
    even = fields.loadUnaligned(fromByteOffset: 64, as: __m512i.self)
    odd = _mm512_srl_epi64(even, bitsOfWord)
    evenOffset = fields.loadUnaligned(fromByteOffset: 128, as: __m512i.self)
    oddOffset = fields.loadUnaligned(fromByteOffset: 192, as: __m512i.self)
    evenShift = fields.loadUnaligned(fromByteOffset: 256, as: __m512i.self)
    oddShift = fields.loadUnaligned(fromByteOffset: 320, as: __m512i.self)
  }

  @inline(__always)
  func scale(_ sum: Sums, _ isRectified: Bool) -> Sums {
    let v = unsafeBitCast(sum, to: __m512i.self)
    let low = _mm512_srav_epi64(
      rounded(_mm512_mul_epi32(v, even), evenOffset, isRectified), evenShift)
    let high = _mm512_srav_epi64(
      rounded(_mm512_mul_epi32(_mm512_srl_epi64(v, bitsOfWord), odd), oddOffset, isRectified),
      oddShift)
    return unsafeBitCast(_mm512_mask_blend_epi32(0xaaaa, low, high), to: Sums.self)
  }

  @inline(__always)
  private func rounded(
    _ product: __m512i, _ offset: __m512i, _ isRectified: Bool
  ) -> __m512i {
    let sum = _mm512_add_epi64(product, offset)
    if isRectified { return sum }
    return _mm512_mask_sub_epi64(
      sum, _mm512_movepi64_mask(product), sum, __m512i(repeating: 1 << 31))
  }
}

/// The last steps for scaled sums: the zero point, the range of a fused activation, and the top bit
/// of signed bytes.
struct BytePacking {
  private let zero: __m512i
  private let low: __m512i
  private let high: __m512i
  private let flip: __m512i

  @inline(__always)
  init(_ output: ByteOutput) {
    zero = unsafeBitCast(SIMD32<Int16>(repeating: output.zeroPoint), to: __m512i.self)
    low = repeated(output.low)
    high = repeated(output.high)
    flip = repeated(output.flip)
  }

  /// Converts four vectors to bytes. Each quarter of the result has that quarter of the first
  /// vector, then of the second, third and fourth.
  @inline(__always)
  func pack(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> __m512i {
    let first = _mm512_packs_epi32(
      unsafeBitCast(a, to: __m512i.self), unsafeBitCast(b, to: __m512i.self))
    let second = _mm512_packs_epi32(
      unsafeBitCast(c, to: __m512i.self), unsafeBitCast(d, to: __m512i.self))
    let bytes = _mm512_packus_epi16(
      _mm512_adds_epi16(first, zero), _mm512_adds_epi16(second, zero))
    return _mm512_xor_si512(_mm512_max_epu8(_mm512_min_epu8(bytes, high), low), flip)
  }
}

@inline(__always)
private var bitsOfWord: __m128i { __m128i(32, 0) }

@inline(__always)
func repeated(_ byte: UInt8) -> __m512i {
  unsafeBitCast(SIMD64<UInt8>(repeating: byte), to: __m512i.self)
}

/// A mask of the first `count` of 64 bytes; `count` is 1...64.
@inline(__always)
func byteMask(_ count: Int) -> UInt64 { ~0 &>> UInt64(truncatingIfNeeded: 64 &- count) }
