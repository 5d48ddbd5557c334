//===--- DotProdInt8Requantize.swift - sums to bytes ----------------------===//
//
// y[j] = clamp(zeroPoint + factor[j] · sum[j])
//
// A factor is 2^-r · mantissa / 2^31. The processor has instructions for both roundings:
// `vqrdmulhq_s32` is the doubling high multiplication, and `vrshlq_s32` shifts right by r with ties
// towards plus infinity. Subtracting 1 from negative numbers makes their ties round away from zero.
// This is omitted if the range excludes values below the zero point. A negative r is a left shift
// before the multiplication.
//
// Contract  Bit-exact with `Requantizer` for right shifts of -7...31, if no left shift overflows.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  /// The factors of 16 columns, in the headers of one vector or of four.
  struct ByteFactors {
    private let mantissas: (Sums, Sums, Sums, Sums)
    /// Left shifts, and those of them that are right shifts.
    private let shifts: (Sums, Sums, Sums, Sums)
    private let rights: (Sums, Sums, Sums, Sums)

    /// Loads the factors of four times four lanes from `lane` on, `stride` apart.
    @inline(__always)
    init(_ header: UnsafePointer<Int32>, lane: Int, stride: Int) {
      let lanes = header + lane
      mantissas = (
        load(lanes + 16), load(lanes + (16 &+ stride)), load(lanes + (16 &+ 2 &* stride)),
        load(lanes + (16 &+ 3 &* stride))
      )
      shifts = (
        ByteFactors.shifts(lanes), ByteFactors.shifts(lanes + stride),
        ByteFactors.shifts(lanes + 2 &* stride), ByteFactors.shifts(lanes + 3 &* stride)
      )
      rights = (
        vminq_s32(shifts.0, .zero), vminq_s32(shifts.1, .zero), vminq_s32(shifts.2, .zero),
        vminq_s32(shifts.3, .zero)
      )
    }

    /// The right shift of an upper half is one less than r, and the left shift one more than -r.
    @inline(__always)
    private static func shifts(_ lanes: UnsafePointer<Int32>) -> Sums {
      let (right, left): (Sums, Sums) = (load(lanes + 64), load(lanes + 80))
      return left &- right &- Sums(repeating: 1)
    }

    /// Scales groups of four vectors of sums.
    @inline(__always)
    func scale<Tile: Registers<Sums>>(_ sums: inout Tile, for output: ByteOutput) {
      if output.largestExponent > 0 {
        for i in 0..<Tile.count / 4 {
          sums[4 &* i] = shiftedLeft(sums[4 &* i], shifts.0)
          sums[4 &* i &+ 1] = shiftedLeft(sums[4 &* i &+ 1], shifts.1)
          sums[4 &* i &+ 2] = shiftedLeft(sums[4 &* i &+ 2], shifts.2)
          sums[4 &* i &+ 3] = shiftedLeft(sums[4 &* i &+ 3], shifts.3)
        }
      }
      for i in 0..<Tile.count / 4 {
        sums[4 &* i] = vqrdmulhq_s32(sums[4 &* i], mantissas.0)
        sums[4 &* i &+ 1] = vqrdmulhq_s32(sums[4 &* i &+ 1], mantissas.1)
        sums[4 &* i &+ 2] = vqrdmulhq_s32(sums[4 &* i &+ 2], mantissas.2)
        sums[4 &* i &+ 3] = vqrdmulhq_s32(sums[4 &* i &+ 3], mantissas.3)
      }
      if !output.isRectified {
        for i in 0..<Tile.count / 4 {
          sums[4 &* i] = movedTies(sums[4 &* i], shifts.0)
          sums[4 &* i &+ 1] = movedTies(sums[4 &* i &+ 1], shifts.1)
          sums[4 &* i &+ 2] = movedTies(sums[4 &* i &+ 2], shifts.2)
          sums[4 &* i &+ 3] = movedTies(sums[4 &* i &+ 3], shifts.3)
        }
      }
      for i in 0..<Tile.count / 4 {
        sums[4 &* i] = vrshlq_s32(sums[4 &* i], rights.0)
        sums[4 &* i &+ 1] = vrshlq_s32(sums[4 &* i &+ 1], rights.1)
        sums[4 &* i &+ 2] = vrshlq_s32(sums[4 &* i &+ 2], rights.2)
        sums[4 &* i &+ 3] = vrshlq_s32(sums[4 &* i &+ 3], rights.3)
      }
    }

    @inline(__always)
    private func shiftedLeft(_ sum: Sums, _ shift: Sums) -> Sums {
      vshlq_s32(sum, vmaxq_s32(shift, .zero))
    }

    /// Subtracts 1 from negative numbers that are shifted.
    @inline(__always)
    private func movedTies(_ high: Sums, _ shift: Sums) -> Sums {
      high &+ ((high & shift) &>> Sums(repeating: 31))
    }
  }

  /// The last steps for scaled sums: the zero point and the range of a fused activation.
  struct BytePacking<Byte: ByteType> {
    private let zero: int16x8_t
    private let low: Bytes
    private let high: Bytes
    let isClamped: Bool

    @inline(__always)
    init(_ output: ByteOutput) {
      zero = int16x8_t(repeating: output.zeroPoint &- Int16(output.flip))
      low = Bytes(repeating: output.low ^ output.flip)
      high = Bytes(repeating: output.high ^ output.flip)
      isClamped = output.low > 0 || output.high < 255
    }

    /// Converts four vectors to consecutive bytes, not yet clamped.
    @inline(__always)
    func pack(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> Bytes {
      Byte.saturated(
        vqaddq_s16(vcombine_s16(vqmovn_s32(a), vqmovn_s32(b)), zero),
        vqaddq_s16(vcombine_s16(vqmovn_s32(c), vqmovn_s32(d)), zero))
    }

    @inline(__always)
    func clamp(_ bytes: Bytes) -> Bytes { Byte.clamped(bytes, low, high) }
  }
#endif
