//===--- Factor+V3.swift - scaling of sums for x86-64-v3 ------------------===//
//
// Both roundings of a factor combine into one shift, as in `VNNIInt8Requantize.swift`. Without an
// arithmetic shift of 64-bit integers, 2^63 is added first and what is left of it subtracted later.
//
// Contract  Bit-exact with `Requantizer`, for any shift.
//===----------------------------------------------------------------------===//

#if MARTLET_V3 && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel

  /// The factors of adjacent columns.
  struct Factor {
    /// Whether `move` works for these columns: it does for all.
    var canMove: Bool { true }
    private let left: Sums
    /// Loaded again for each sum. Otherwise the compiler would widen them before the loop, and no
    /// longer select the instruction that multiplies halves.
    private let mantissas: UnsafePointer<Int32>
    private let evenOffset: __m256i
    private let oddOffset: __m256i
    private let evenShift: __m256i
    private let oddShift: __m256i
    /// 2^31 for columns with a right shift. It is subtracted from negative products, whose ties are
    /// rounded down.
    private let sign: __m256i
    /// The zero point minus what is left of 2^63.
    private let constant: Sums

    /// Reads the fields after the biases, `stride` apart.
    @inline(__always)
    init(_ biases: UnsafePointer<Int32>, stride: Int, _ range: ByteRange) {
      left = load(biases + stride)
      mantissas = biases + 2 &* stride
      let right: Sums = load(biases + 3 &* stride)
      let shifts = bits(right)
      let even = _mm256_and_si256(shifts, Factor.repeated(0xffff_ffff))
      let odd = _mm256_srli_epi64(shifts, 32)
      evenOffset = Factor.offset(even)
      oddOffset = Factor.offset(odd)
      evenShift = _mm256_add_epi64(even, Factor.repeated(31))
      oddShift = _mm256_add_epi64(odd, Factor.repeated(31))
      sign = _mm256_and_si256(
        _mm256_cmpgt_epi32(shifts, _mm256_setzero_si256()), bits(Sums(repeating: .min)))
      let rest = _mm256_sllv_epi32(bits(Sums(repeating: 1)), bits(Sums(repeating: 32) &- right))
      constant = range.zeroPoint &- sums(rest)
    }

    /// Scales sums and adds the zero point. Ties do not matter if results below it are clamped.
    @inline(__always)
    func move(_ sum: Sums, _ range: ByteRange, isRectified: Bool = false) -> Sums {
      let v = bits(range.shiftsLeft ? sum &* left : sum)
      if isRectified {
        return joined(
          _mm256_add_epi64(_mm256_mul_epi32(v, mantissa(0)), evenOffset),
          _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(v, 32), mantissa(1)), oddOffset))
      }
      let below = _mm256_and_si256(_mm256_srai_epi32(v, 31), sign)
      let even = _mm256_sub_epi64(
        _mm256_add_epi64(_mm256_mul_epi32(v, mantissa(0)), evenOffset),
        _mm256_srli_epi64(_mm256_slli_epi64(below, 32), 32))
      let odd = _mm256_sub_epi64(
        _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(v, 32), mantissa(1)), oddOffset),
        _mm256_srli_epi64(below, 32))
      return joined(even, odd)
    }

    /// Shifts the products of even and of odd lanes.
    @inline(__always)
    private func joined(_ even: __m256i, _ odd: __m256i) -> Sums {
      // The compiler selects a plain blend, because the mask is constant.
      let both = _mm256_blendv_epi8(
        _mm256_srlv_epi64(even, evenShift),
        _mm256_slli_epi64(_mm256_srlv_epi64(odd, oddShift), 32),
        Factor.repeated(-1 << 32))
      return sums(both) &+ constant
    }

    @inline(__always)
    func scale(_ sum: Sums, _ range: ByteRange) -> Sums {
      let moved = bits(move(sum, range))
      return sums(_mm256_min_epi32(bits(range.high), _mm256_max_epi32(bits(range.low), moved)))
    }

    /// The mantissas of even columns if `first` is 0, of odd ones if it is 1, in even lanes.
    @inline(__always)
    private func mantissa(_ first: Int) -> __m256i {
      UnsafeRawPointer(mantissas + first).loadUnaligned(as: __m256i.self)
    }

    /// 2^63 + 2^30, and 2^(30 + r) for a right shift of r.
    @inline(__always)
    private static func offset(_ right: __m256i) -> __m256i {
      let isShifted = _mm256_cmpgt_epi64(right, _mm256_setzero_si256())
      let half = _mm256_and_si256(isShifted, _mm256_sllv_epi64(repeated(1 << 30), right))
      return _mm256_add_epi64(repeated(.min | 1 << 30), half)
    }

    @inline(__always)
    private static func repeated(_ value: Int64) -> __m256i { __m256i(repeating: value) }
  }

  extension ByteRange {
    /// Converts the results of `Factor.move` to bytes, eight of each.
    @inline(__always)
    func pack(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> SIMD4<Int64> {
      let byte = unsafeBitCast(SIMD16<Int16>(repeating: 0xff), to: __m256i.self)
      let first = _mm256_and_si256(clamp(_mm256_packs_epi32(bits(a), bits(b))), byte)
      let second = _mm256_and_si256(clamp(_mm256_packs_epi32(bits(c), bits(d))), byte)
      let order = bits(Sums(0, 4, 1, 5, 2, 6, 3, 7))
      return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(first, second), order)
    }

    @inline(__always)
    private func clamp(_ shorts: __m256i) -> __m256i {
      _mm256_min_epi16(
        _mm256_max_epi16(shorts, _mm256_packs_epi32(bits(low), bits(low))),
        _mm256_packs_epi32(bits(high), bits(high)))
    }
  }

  @inline(__always)
  private func bits(_ sums: Sums) -> __m256i { unsafeBitCast(sums, to: __m256i.self) }
  @inline(__always)
  private func sums(_ bits: __m256i) -> Sums { unsafeBitCast(bits, to: Sums.self) }
#endif
