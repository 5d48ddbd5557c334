//===--- DotProdInt8Requantize.swift - sums to bytes ----------------------===//
//
// y[j] = clamp(zeroPoint + factor[j] · sum[j])
//
// A factor is 2^-r · mantissa / 2^31. The processor has instructions for both roundings:
// `vqrdmulhq_s32` is the doubling high multiplication, and `vrshlq_s32` shifts right by r with ties
// towards plus infinity. Subtracting 1 from negative numbers makes their ties round away from zero.
//
// Contract  Bit-exact with `Requantizer` for right shifts of 1...31.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  /// The factors of four adjacent lanes of a header.
  struct ByteFactor {
    private let mantissas: Sums
    /// Left shifts.
    private let shifts: Sums

    /// Loads the factors of four lanes from `lane` on, which is a multiple of four.
    @inline(__always)
    init(_ header: UnsafePointer<Int32>, lane: Int) {
      mantissas = load(header + (16 &+ lane))
      // One 64-bit integer per two lanes: those of even lanes are 31 + r, those of odd lanes 32
      // less.
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

  /// The last steps for scaled sums: the zero point, the range of a fused activation, and the top
  /// bit of signed bytes.
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

    /// Converts four vectors to consecutive bytes.
    @inline(__always)
    func pack(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> Bytes {
      let first = vqaddq_s16(vcombine_s16(vqmovn_s32(a), vqmovn_s32(b)), zero)
      let second = vqaddq_s16(vcombine_s16(vqmovn_s32(c), vqmovn_s32(d)), zero)
      let bytes = vcombine_u8(vqmovun_s16(first), vqmovun_s16(second))
      return vmaxq_u8(vminq_u8(bytes, high), low) ^ flip
    }
  }
#endif
