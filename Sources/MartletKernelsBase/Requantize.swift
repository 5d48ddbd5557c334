//===--- Requantize.swift - sums to bytes ---------------------------------===//
//
// y[i][j] = clamp(zeroPoint + factor[j] · sum[i][j])
//
// Contract  Bit for bit `Requantizer`: the doubling high multiplication rounds to nearest, ties
//           towards plus infinity (which is what LiteRT's nudges amount to); the right shift rounds
//           to nearest, ties away from zero.
// Checked   Tests/MartletKernelsTests/RequantizationTests.swift
//===----------------------------------------------------------------------===//

#if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

/// How sums become bytes, whatever the channel.
struct ByteRange {
  let zeroPoint: Sums
  let low: Sums
  let high: Sums
  /// Whether a factor shifts left, which is rare.
  let shiftsLeft: Bool
}

extension Loops {
  /// Scales rows of sums, `width` apart, and writes the first `columns` columns as bytes to rows
  /// `yStride` apart. `panel` points to the columns' biases, behind which the other fields lie.
  package static func requantize(
    _ sums: UnsafePointer<Int32>, rows: Int, panel: UnsafePointer<Int32>, width: Int,
    _ y: UnsafeMutablePointer<UInt8>, _ yStride: Int, columns: Int,
    zeroPoint: Int32, low: Int32, high: Int32, shiftsLeft: Bool
  ) {
    let range = ByteRange(
      zeroPoint: Sums(repeating: zeroPoint), low: Sums(repeating: low),
      high: Sums(repeating: high), shiftsLeft: shiftsLeft)
    let lanes = Sums.scalarCount
    var first = 0
    while first < columns {
      let factor = Factor(panel + first, stride: width)
      for row in 0..<rows {
        let bytes = factor.scale(load(sums + (row &* width &+ first)), range)
        storeLowBytes(bytes, to: y + (row &* yStride &+ first), columns &- first)
      }
      first &+= lanes
    }
  }
}

/// The factors of neighbouring columns.
struct Factor {
  let left: Sums
  let mantissa: Sums
  let right: Sums
  /// 2 to the power of `right`, less 1.
  let mask: Sums

  /// Reads the fields that lie behind the biases, `stride` apart.
  @inline(__always)
  init(_ biases: UnsafePointer<Int32>, stride: Int) {
    left = load(biases + stride)
    mantissa = load(biases + 2 &* stride)
    right = load(biases + 3 &* stride)
    mask = load(biases + 4 &* stride)
  }

  @inline(__always)
  func scale(_ sum: Sums, _ range: ByteRange) -> Sums {
    let shifted = range.shiftsLeft ? sum &* left : sum
    let scaled = roundingShiftedRight(doublingHighMultiplied(shifted))
    return clamp(scaled &+ range.zeroPoint, range.low, range.high)
  }

  /// The high 32 bits of `2 * v * mantissa`, rounded; mantissas are not negative.
  @inline(__always)
  private func doublingHighMultiplied(_ value: Sums) -> Sums {
    // The unsigned product of 2³² + v is 2³² · mantissa too large, whose high part is
    // 2 · mantissa: subtracted again in lanes that were negative. Even and odd lanes are
    // multiplied apart and put together without a shuffle.
    let low = WideSums(repeating: 0xffff_ffff)
    let half = WideSums(repeating: 1 << 30)
    let word = WideSums(repeating: 32)
    let shift = WideSums(repeating: 31)
    let v = unsafeBitCast(value, to: WideSums.self)
    let m = unsafeBitCast(mantissa, to: WideSums.self)
    let even = ((v & low) &* (m & low) &+ half) &>> shift
    let odd = ((v &>> word) &* (m &>> word) &+ half) &>> shift
    let high = (even & low) | (odd &<< word)
    let excess = (mantissa &+ mantissa) & (value &>> Sums(repeating: 31))
    return unsafeBitCast(high, to: Sums.self) &- excess
  }

  /// `value / 2^right`, rounded.
  @inline(__always)
  private func roundingShiftedRight(_ value: Sums) -> Sums {
    let sign = value &>> Sums(repeating: 31)
    let threshold = (mask &>> Sums(repeating: 1)) &- sign
    let floor = value &>> right
    return floor.replacing(
      with: floor &+ Sums(repeating: 1), where: (value & mask) .> threshold)
  }
}

/// Writes the low byte of each lane, or of the first `count`.
@inline(__always)
func storeLowBytes(_ sums: Sums, to y: UnsafeMutablePointer<UInt8>, _ count: Int) {
  if count >= Sums.scalarCount {
    #if MARTLET_V4 && canImport(_Builtin_intrinsics)
      let bytes = _mm512_cvtepi32_epi8(unsafeBitCast(sums, to: __m512i.self))
    #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
      let low = sums & Sums(repeating: 0xff)
      let words = _mm_packs_epi32(
        unsafeBitCast(low.lowHalf, to: __m128i.self),
        unsafeBitCast(low.highHalf, to: __m128i.self))
      let bytes = _mm_packus_epi16(words, words)[0]
    #else
      let bytes = SIMD4<UInt8>(truncatingIfNeeded: sums)
    #endif
    UnsafeMutableRawPointer(y).storeBytes(of: bytes, as: type(of: bytes))
  } else {
    for lane in 0..<count { y[lane] = UInt8(truncatingIfNeeded: sums[lane]) }
  }
}
