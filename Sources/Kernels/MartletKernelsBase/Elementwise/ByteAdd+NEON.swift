//===--- ByteAdd+NEON.swift - sums of 16 bytes ----------------------------===//
//
// `quantizedAdd` for arm64, which multiplies and rounds with one instruction each. See
// `DotProdInt8Requantize.swift` for the roundings.
//
// Contract  Bit-exact with the reference kernel. y may be the memory of a or of b.
// Cost      About five instructions per element.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletBase
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  private typealias Bytes = SIMD16<UInt8>

  /// Adds bytes in groups of 16, and returns the number of bytes done: none if there are few, or if
  /// an operand is repeated or has unusual parameters. `flip` makes bytes signed.
  @inline(never)
  func addSixteens(_ sum: QuantizedAdd, flip: UInt8) -> Int {
    let run = sum.run
    guard run.count >= 64, !run.a.isRepeated, !run.b.isRepeated,
      let a = ByteAddend(sum.a, bits: sum.extraBits, flip: flip),
      let b = ByteAddend(sum.b, bits: sum.extraBits, flip: flip),
      let result = ByteSum(sum.y, flip: flip)
    else { return 0 }
    let flips = Bytes(repeating: flip)
    var i = 0
    while i &+ 16 <= run.count {
      let x = signs((run.a.start + i).loadUnaligned(as: Bytes.self) ^ flips)
      let z = signs((run.b.start + i).loadUnaligned(as: Bytes.self) ^ flips)
      let (x0, x1) = a(vmovl_s8(vget_low_s8(x)))
      let (x2, x3) = a(vmovl_high_s8(x))
      let (z0, z1) = b(vmovl_s8(vget_low_s8(z)))
      let (z2, z3) = b(vmovl_high_s8(z))
      let bytes = result(x0 &+ z0, x1 &+ z1, x2 &+ z2, x3 &+ z3)
      (run.y + i).storeBytes(of: bytes ^ flips, as: Bytes.self)
      i &+= 16
    }
    return i
  }

  /// An `Addend`, for eight 16-bit integers.
  private struct ByteAddend {
    private let zeroPoint: int16x8_t
    /// The left shift: a shift of 16-bit integers, then a multiplication that widens.
    private let shift: int16x8_t
    private let power: int16x8_t
    /// The factor, unless the shift includes it.
    private let factor: ByteScale?

    init?(_ addend: Addend, bits: Int32, flip: UInt8) {
      let zero = addend.zeroPoint &- Int32(flip)
      let scale = addend.scale
      // Halving a number with enough trailing zeros is exact.
      let whole = bits &+ scale.shift &- 1
      let isShifted = scale.mantissa == 1 << 30 && scale.shift <= 0 && whole >= 0
      let bits = isShifted ? whole : bits
      guard (-255...255).contains(zero), (0...20).contains(bits), scale.shift <= 0 else {
        return nil
      }
      let first = min(bits, 6)
      zeroPoint = int16x8_t(repeating: Int16(zero))
      shift = int16x8_t(repeating: Int16(first))
      power = int16x8_t(repeating: 1 << Int16(bits - first))
      factor = isShifted ? nil : ByteScale(scale)
    }

    @inline(__always)
    func callAsFunction(_ values: int16x8_t) -> (Sums, Sums) {
      let shifted = vshlq_s16(values &- zeroPoint, shift)
      let low = vmull_s16(vget_low_s16(shifted), vget_low_s16(power))
      let high = vmull_high_s16(shifted, power)
      guard let factor else { return (low, high) }
      return (factor(low), factor(high))
    }
  }

  /// A factor that is less than one.
  private struct ByteScale {
    private let mantissa: Sums
    private let shift: Sums

    @inline(__always)
    init(_ factor: FixedPointMultiplier) {
      mantissa = Sums(repeating: factor.mantissa)
      shift = Sums(repeating: factor.shift)
    }

    @inline(__always)
    func callAsFunction(_ sum: Sums) -> Sums {
      let high = vqrdmulhq_s32(sum, mantissa)
      return vrshlq_s32(high &+ ((high & shift) &>> Sums(repeating: 31)), shift)
    }
  }

  /// A `QuantizedResult`, for 16 sums.
  private struct ByteSum {
    private let factor: ByteScale
    private let zeroPoint: int16x8_t
    private let low: int8x16_t
    private let high: int8x16_t

    init?(_ result: QuantizedResult, flip: UInt8) {
      let zero = result.zeroPoint &- Int32(flip)
      guard (-255...255).contains(zero), result.scale.shift <= 0 else { return nil }
      factor = ByteScale(result.scale)
      zeroPoint = int16x8_t(repeating: Int16(zero))
      low = int8x16_t(repeating: Int8(clamping: result.range.lowerBound &- Int32(flip)))
      high = int8x16_t(repeating: Int8(clamping: result.range.upperBound &- Int32(flip)))
    }

    @inline(__always)
    func callAsFunction(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> Bytes {
      let first = vqaddq_s16(shorts(factor(a), factor(b)), zeroPoint)
      let second = vqaddq_s16(shorts(factor(c), factor(d)), zeroPoint)
      let bytes = vcombine_s8(vqmovn_s16(first), vqmovn_s16(second))
      return unsafeBitCast(vminq_s8(vmaxq_s8(bytes, low), high), to: Bytes.self)
    }

    @inline(__always)
    private func shorts(_ low: Sums, _ high: Sums) -> int16x8_t {
      vcombine_s16(vqmovn_s32(low), vqmovn_s32(high))
    }
  }

  @inline(__always)
  private func signs(_ bytes: Bytes) -> int8x16_t { unsafeBitCast(bytes, to: int8x16_t.self) }
#endif
