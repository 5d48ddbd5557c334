//===--- Int32Requantize.swift - sums to bytes ----------------------------===//
//
// y[i][j] = clamp(zeroPoint + factor[j] · sum[i][j])
//
// Contract  Bit-exact with `Requantizer`: the doubling high multiplication rounds to nearest, ties
//           towards plus infinity (the effect of LiteRT's nudges); the right shift rounds to
//           nearest, ties away from zero.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

#if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

/// `OutputQuantization` in all lanes.
struct ByteRange {
  let zeroPoint: Sums
  let low: Sums
  let high: Sums
  let shiftsLeft: Bool
  /// Whether values below the zero point are clamped to it.
  let isRectified: Bool

  @inline(__always)
  init(_ output: OutputQuantization) {
    zeroPoint = Sums(repeating: output.zeroPoint)
    low = Sums(repeating: output.low)
    high = Sums(repeating: output.high)
    shiftsLeft = output.shiftsLeft
    isRectified = output.low >= output.zeroPoint
  }
}

extension Level {
  package static func int32Requantize(_ arguments: Int32Requantize) {
    let range = ByteRange(arguments.output)
    let (sums, y) = (arguments.sums, arguments.y)
    let lanes = Sums.scalarCount
    var first = 0
    #if (MARTLET_V3 && canImport(_Builtin_intrinsics)) || canImport(WebAssemblyIntrinsics)
      while first &+ 2 &* lanes <= arguments.columns {
        let a = Factor(arguments.panel + first, stride: arguments.width, range)
        let b = Factor(arguments.panel + (first &+ lanes), stride: arguments.width, range)
        guard a.canMove && b.canMove else { break }
        if range.isRectified {
          requantize(arguments, first, (a, b), range, isRectified: true)
        } else {
          requantize(arguments, first, (a, b), range, isRectified: false)
        }
        first &+= 2 &* lanes
      }
    #endif
    #if MARTLET_V3 && canImport(_Builtin_intrinsics)
      while first &+ lanes <= arguments.columns {
        let factor = Factor(arguments.panel + first, stride: arguments.width, range)
        guard factor.canMove else { break }
        if range.isRectified {
          requantize(arguments, first, factor, range, isRectified: true)
        } else {
          requantize(arguments, first, factor, range, isRectified: false)
        }
        first &+= lanes
      }
    #endif
    while first < arguments.columns {
      let factor = Factor(arguments.panel + first, stride: arguments.width, range)
      for row in 0..<arguments.rows {
        let bytes = factor.scale(load(sums.start + (row &* sums.rowStride &+ first)), range)
        storeLowBytes(
          bytes, to: y.start + (row &* y.rowStride &+ first), arguments.columns &- first)
      }
      first &+= lanes
    }
  }

  #if (MARTLET_V3 && canImport(_Builtin_intrinsics)) || canImport(WebAssemblyIntrinsics)
    /// Converts two vectors of columns from `first` on, two rows at a time.
    @inline(__always)
    private static func requantize(
      _ arguments: Int32Requantize, _ first: Int, _ factors: (Factor, Factor), _ range: ByteRange,
      isRectified: Bool
    ) {
      let (rows, sums, y) = (arguments.rows, arguments.sums, arguments.y)
      let (a, b) = factors
      let lanes = Sums.scalarCount
      var row = 0
      while row < rows {
        let next = min(row &+ 1, rows &- 1)
        let (x, z) = (
          sums.start + (row &* sums.rowStride &+ first),
          sums.start + (next &* sums.rowStride &+ first)
        )
        let bytes = range.pack(
          a.move(load(x), range, isRectified: isRectified),
          b.move(load(x + lanes), range, isRectified: isRectified),
          a.move(load(z), range, isRectified: isRectified),
          b.move(load(z + lanes), range, isRectified: isRectified))
        UnsafeMutableRawPointer(y.start + (row &* y.rowStride &+ first)).storeBytes(
          of: bytes.lowHalf, as: type(of: bytes.lowHalf))
        UnsafeMutableRawPointer(y.start + (next &* y.rowStride &+ first)).storeBytes(
          of: bytes.highHalf, as: type(of: bytes.highHalf))
        row &+= 2
      }
    }
  #endif

  #if MARTLET_V3 && canImport(_Builtin_intrinsics)
    /// Converts one vector of columns from `first` on, four rows at a time.
    @inline(__always)
    private static func requantize(
      _ arguments: Int32Requantize, _ first: Int, _ factor: Factor, _ range: ByteRange,
      isRectified: Bool
    ) {
      let (rows, sums, y) = (arguments.rows, arguments.sums, arguments.y)
      var row = 0
      while row < rows {
        // The last row may be converted repeatedly.
        let (b, c, d) = (
          min(row &+ 1, rows &- 1), min(row &+ 2, rows &- 1), min(row &+ 3, rows &- 1)
        )
        @inline(__always) func move(_ row: Int) -> Sums {
          let sum: Sums = load(sums.start + (row &* sums.rowStride &+ first))
          return factor.move(sum, range, isRectified: isRectified)
        }
        @inline(__always) func store(_ bytes: Int64, _ row: Int) {
          UnsafeMutableRawPointer(y.start + (row &* y.rowStride &+ first)).storeBytes(
            of: bytes, as: Int64.self)
        }
        let bytes = range.pack(move(row), move(b), move(c), move(d))
        store(bytes[0], row)
        store(bytes[1], b)
        store(bytes[2], c)
        store(bytes[3], d)
        row &+= 4
      }
    }
  #endif
}

#if !(MARTLET_V3 && canImport(_Builtin_intrinsics))
  #if !canImport(WebAssemblyIntrinsics)
    typealias Factor = PlainFactor
  #endif

  /// The factors of adjacent columns, for any instruction set.
  struct PlainFactor {
    let left: Sums
    let mantissa: Sums
    let right: Sums
    /// 2 to the power of `right`, minus 1.
    let mask: Sums

    /// Reads the fields after the biases, `stride` apart.
    @inline(__always)
    init(_ biases: UnsafePointer<Int32>, stride: Int, _: ByteRange) {
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

    /// The high 32 bits of `2 * v * mantissa`, rounded; mantissas are not negative. For negative v,
    /// the unsigned product of 2³² + v is 2³² · mantissa too large, which adds 2 · mantissa to the
    /// high part; it is subtracted again in those lanes. Even and odd lanes are multiplied
    /// separately and combined without a shuffle.
    @inline(__always)
    private func doublingHighMultiplied(_ value: Sums) -> Sums {
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
#endif

/// Writes the low byte of each lane, or of the first `count` lanes.
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
