//===--- DotProdInt8GEMV.swift - byte matrix-vector product ---------------===//
//
// y[j] = clamp(zeroPoint + round(factor[j] · (bias[j] + term + Σ over k of (x[k] - 128) * w[k][j])))
//
// As `Int8GEMM.swift`, for one row and with the scaling of fully connected layers, in double
// precision. A panel is 64 columns wide, with columns in order. A header has 16 biases, a gap of
// the same size, and 16 factors.
//
// Contract  Bit-exact with `RealRequantizer`: ties away from zero.
// Cost      2 · depth · 64 operations, limited by the memory bandwidth of the weights.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  extension Level {
    @export(interface) @inline(never)
    package static func int8GEMV(_ arguments: Int8GEMV) {
      if arguments.flip == 0 {
        multiply(arguments, UnsignedByte.self)
      } else {
        multiply(arguments, SignedByte.self)
      }
    }

    private static func multiply<Byte: ByteType>(_ arguments: Int8GEMV, _: Byte.Type) {
      let (panel, y, columns) = (arguments.panel, arguments.y, arguments.columns)
      let product = Int8Product<Byte>(
        x: Matrix(arguments.x, rowStride: 0), quads: arguments.quads, panel: panel)
      var sums = product.row(Registers16<Sums>.self, 0)
      let scaling = RealScaling(arguments)
      for v in 0..<4 where 16 &* v < columns {
        let factors = panel + (v &* byteHeaderCount &+ 32)
        let first = vcombine_s16(
          scaling.scale(sums[4 &* v], factors), scaling.scale(sums[4 &* v &+ 1], factors + 8))
        let second = vcombine_s16(
          scaling.scale(sums[4 &* v &+ 2], factors + 16),
          scaling.scale(sums[4 &* v &+ 3], factors + 24))
        let bytes = vcombine_s8(vmovn_s16(first), vmovn_s16(second))
        store(unsafeBitCast(bytes, to: Bytes.self), to: y + 16 &* v, columns &- 16 &* v)
      }
    }
  }

  private struct RealScaling {
    private let term: Sums
    private let zeroPoint: Sums
    private let low: Sums
    private let high: Sums

    @inline(__always)
    init(_ arguments: Int8GEMV) {
      term = Sums(repeating: arguments.term)
      zeroPoint = Sums(repeating: arguments.zeroPoint)
      low = Sums(repeating: arguments.low)
      high = Sums(repeating: arguments.high)
    }

    /// Converts four sums to results.
    @inline(__always)
    func scale(_ sums: Sums, _ factors: UnsafePointer<Int32>) -> int16x4_t {
      let sums = sums &+ term
      let nearest = vcombine_s32(
        nearest(vget_low_s32(sums), factors), nearest(vget_high_s32(sums), factors + 4))
      let moved = vqaddq_s32(nearest, zeroPoint)
      return vmovn_s32(vmaxq_s32(vminq_s32(moved, high), low))
    }

    /// Multiplies two sums by their factors, rounded with ties away from zero and saturated to 32
    /// bits.
    @inline(__always)
    private func nearest(_ sums: int32x2_t, _ factors: UnsafePointer<Int32>) -> int32x2_t {
      let factors = UnsafeRawPointer(factors).loadUnaligned(as: float64x2_t.self)
      return vqmovn_s64(vcvtaq_s64_f64(vcvtq_f64_s64(vmovl_s32(sums)) * factors))
    }
  }
#endif
