//===--- Int8Requantize.swift - sums to bytes, in registers ---------------===//
//
// y[j] = clamp(zeroPoint + factor[j] · sum[j])
//
// A factor is 2^-r · mantissa / 2^31. The processor has both roundings: `vqrdmulhq_s32` is the doubling
// high multiplication, and `vrshlq_s32` shifts to the right by r with ties towards plus infinity. One less
// for numbers below zero, and ties go away from zero.
//
// Contract  Bit for bit `Requantizer` for right shifts of 1...31.
// Checked   Tests/MartletKernelsTests/RequantizationTests.swift
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  /// The factors of four neighboring lanes of a header.
  struct ByteFactor {
    private let mantissas: Sums
    /// To the left.
    private let shifts: Sums

    /// The first lane, a multiple of four, is `lane`.
    @inline(__always)
    init(_ header: UnsafePointer<Int32>, lane: Int) {
      mantissas = load(header + (16 &+ lane))
      // A 64-bit integer for two lanes: the even ones' are 31 + r, the odd ones' 32 less.
      let even: Sums = load(header + (64 &+ lane))
      let odd: Sums = load(header + (80 &+ lane))
      shifts = Sums(31, -1, 31, -1) &- vtrn1q_s32(even, odd)
    }

    @inline(__always)
    func scale(_ sum: Sums) -> Sums {
      let high = vqrdmulhq_s32(sum, mantissas)
      return vrshlq_s32(high &+ (high &>> Sums(repeating: 31)), shifts)
    }
  }

  /// What remains to be done to scaled sums: the zero point, the range of a fused activation, and the
  /// top bit that makes signed bytes of unsigned ones.
  struct BytePacking {
    private let zero: int16x8_t
    private let low: Bytes
    private let high: Bytes
    private let flip: Bytes

    @inline(__always)
    init(_ output: ByteOutput) {
      zero = int16x8_t(repeating: output.zeroPoint)
      low = Bytes(repeating: output.low)
      high = Bytes(repeating: output.high)
      flip = Bytes(repeating: output.flip)
    }

    /// Four vectors as bytes, one after the other.
    @inline(__always)
    func pack(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> Bytes {
      let first = vqaddq_s16(vcombine_s16(vqmovn_s32(a), vqmovn_s32(b)), zero)
      let second = vqaddq_s16(vcombine_s16(vqmovn_s32(c), vqmovn_s32(d)), zero)
      let bytes = vcombine_u8(vqmovun_s16(first), vqmovun_s16(second))
      return vmaxq_u8(vminq_u8(bytes, high), low) ^ flip
    }
  }
#endif
