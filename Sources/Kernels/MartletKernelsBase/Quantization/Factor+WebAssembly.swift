//===--- Factor+WebAssembly.swift - scaling of sums for WebAssembly -------===//
//
// Both roundings of a factor combine into one shift, as in `VNNIInt8Requantize.swift`. WebAssembly
// shifts all lanes by the same number. Lanes are therefore multiplied first, so that all can be
// shifted by `alignment`; sums that end up outside all bytes are clamped before, so that they fit.
//
// Contract  Bit-exact with `Requantizer`, for any shift.
//===----------------------------------------------------------------------===//

#if canImport(WebAssemblyIntrinsics)
  import WebAssemblyIntrinsics

  /// The factors of adjacent columns.
  struct Factor {
    private static let alignment: Int32 = 20
    /// Whether no lane needs a left shift, or a right shift of `alignment` or more. Otherwise only
    /// `scale` works.
    let canMove: Bool
    private let plain: PlainFactor
    /// Loaded again for each sum. Otherwise the compiler would widen them before the loop, and no
    /// longer select the instruction that widens and multiplies.
    private let mantissas: UnsafePointer<Int32>
    private let limit: Sums
    /// 2 to the power of `alignment` minus the right shift.
    private let lift: Sums
    private let lowOffset: v128_t
    private let highOffset: v128_t
    /// Half of `lift` for columns with a right shift. It is subtracted from negative products, whose
    /// ties are rounded down.
    private let sign: Sums

    /// Reads the fields after the biases, `stride` apart.
    @inline(__always)
    init(_ biases: UnsafePointer<Int32>, stride: Int, _ range: ByteRange) {
      plain = PlainFactor(biases, stride: stride, range)
      mantissas = biases + 2 &* stride
      canMove = !range.shiftsLeft && all(plain.right .< Sums(repeating: Factor.alignment))
      let power = plain.mask &+ Sums(repeating: 1)
      limit = power &<< Sums(repeating: 10)
      // The exponent of a float: the compiler would shift a 1 lane by lane.
      let exponent = Sums(repeating: Factor.alignment &+ 127) &- plain.right
      lift = wasm_i32x4_trunc_sat_f32x4(exponent &<< Sums(repeating: 23))
      let isShifted = plain.right .> Sums.zero
      sign = Sums.zero.replacing(with: lift &>> Sums(repeating: 1), where: isShifted)
      // What rounds the product, what rounds the quotient, and the zero point.
      let halves = lift.replacing(
        with: lift &+ Sums(repeating: 1 << Factor.alignment), where: isShifted)
      let unit = Sums(repeating: 1 << 30)
      let zeroPoint = wasm_i64x2_splat(Int64(range.zeroPoint[0]) &<< Int64(31 + Factor.alignment))
      lowOffset = wasm_i64x2_add(wasm_i64x2_extmul_low_i32x4(halves, unit), zeroPoint)
      highOffset = wasm_i64x2_add(wasm_i64x2_extmul_high_i32x4(halves, unit), zeroPoint)
    }

    /// Scales sums and adds the zero point. Ties do not matter if results below it are clamped.
    @inline(__always)
    func move(_ v: Sums, _ range: ByteRange, isRectified: Bool = false) -> Sums {
      let lifted = wasm_i32x4_min(wasm_i32x4_max(v, Sums.zero &- limit), limit) &* lift
      let mantissa: Sums = load(mantissas)
      let low = wasm_i64x2_add(wasm_i64x2_extmul_low_i32x4(lifted, mantissa), lowOffset)
      let high = wasm_i64x2_add(wasm_i64x2_extmul_high_i32x4(lifted, mantissa), highOffset)
      var words = Sums(low[1], low[3], high[1], high[3])
      if !isRectified { words = words &- (sign & (v &>> Sums(repeating: 31))) }
      return words &>> Sums(repeating: Factor.alignment - 1)
    }

    @inline(__always)
    func scale(_ sum: Sums, _ range: ByteRange) -> Sums {
      canMove ? clamp(move(sum, range), range.low, range.high) : plain.scale(sum, range)
    }
  }

  extension ByteRange {
    /// Converts the results of `Factor.move` to bytes, four of each.
    @inline(__always)
    func pack(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> SIMD4<Int32> {
      wasm_u8x16_narrow_i16x8(
        bytes(wasm_i16x8_narrow_i32x4(a, b)), bytes(wasm_i16x8_narrow_i32x4(c, d)))
    }

    @inline(__always)
    private func bytes(_ shorts: v128_t) -> v128_t {
      let raised = wasm_i16x8_max(shorts, wasm_i16x8_narrow_i32x4(low, low))
      let clamped = wasm_i16x8_min(raised, wasm_i16x8_narrow_i32x4(high, high))
      return wasm_v128_and(clamped, wasm_i16x8_splat(0xff))
    }
  }
#endif
