//===--- Int8AddInDouble.swift - byte sums in Double ----------------------===//
//
// y = clamp(zero point + round(factor of a · (a - its zero point) + factor of b · (b - its)))
//
// `quantizedAdd` in double precision, in half the time, with ties to even. `quantizedAdd` rounds
// intermediate results, which may move a result across a half. There are few pairs of bytes, so the
// caller can test whether all results agree.
//
// Contract  `count` is a multiple of the lanes. y may be the memory of a or of b. `type` is uint8
//           or int8.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

#if MARTLET_V4 && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel

  @inline(never)
  private func add<Elements: Eights>(_ arguments: QuantizedAdd, as: Elements.Type) {
    let run = arguments.run
    let (a, b, y) = (run.a.start, run.b.start, run.y)
    let (repeatsA, repeatsB, count) = (run.a.isRepeated, run.b.isRepeated, run.count)
    let sum = DoubleSum(arguments)
    let firstA = Elements.repeating(a)
    let firstB = Elements.repeating(b)
    var i = 0
    while i < count {
      let low = sum.rounded(
        repeatsA ? firstA : Elements.load(a + i), repeatsB ? firstB : Elements.load(b + i))
      let high = sum.rounded(
        repeatsA ? firstA : Elements.load(a + (i &+ 8)),
        repeatsB ? firstB : Elements.load(b + (i &+ 8)))
      (y + i).storeBytes(of: sum.bytes(low, high), as: __m128i.self)
      i &+= 16
    }
  }

  /// Eight bytes as doubles.
  private protocol Eights {
    static func load(_ p: UnsafeRawPointer) -> SIMD8<Double>
    static func repeating(_ p: UnsafeRawPointer) -> SIMD8<Double>
  }

  private enum Signed: Eights {
    @inline(__always)
    static func load(_ p: UnsafeRawPointer) -> SIMD8<Double> {
      _mm512_cvtepi32_pd(_mm256_cvtepi8_epi32(__m128i(p.loadUnaligned(as: Int64.self), 0)))
    }
    @inline(__always)
    static func repeating(_ p: UnsafeRawPointer) -> SIMD8<Double> {
      SIMD8(repeating: Double(p.load(as: Int8.self)))
    }
  }

  private enum Unsigned: Eights {
    @inline(__always)
    static func load(_ p: UnsafeRawPointer) -> SIMD8<Double> {
      _mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(__m128i(p.loadUnaligned(as: Int64.self), 0)))
    }
    @inline(__always)
    static func repeating(_ p: UnsafeRawPointer) -> SIMD8<Double> {
      SIMD8(repeating: Double(p.load(as: UInt8.self)))
    }
  }

  private struct DoubleSum {
    private let factorA: SIMD8<Double>
    private let factorB: SIMD8<Double>
    private let constant: SIMD8<Double>
    private let low: __m512i
    private let high: __m512i

    init(_ sum: QuantizedAdd) {
      factorA = SIMD8(repeating: sum.a.factor)
      factorB = SIMD8(repeating: sum.b.factor)
      constant = SIMD8(repeating: sum.constant)
      low = words(sum.y.range.lowerBound)
      high = words(sum.y.range.upperBound)
    }

    /// Rounds eight sums.
    @inline(__always)
    func rounded(_ a: SIMD8<Double>, _ b: SIMD8<Double>) -> __m256i {
      _mm512_cvtpd_epi32(_mm512_fmadd_pd(a, factorA, _mm512_fmadd_pd(b, factorB, constant)))
    }

    /// Converts sixteen results to bytes.
    @inline(__always)
    func bytes(_ low: __m256i, _ high: __m256i) -> __m128i {
      let values = __m512i(lowHalf: low, highHalf: high)
      return _mm512_cvtepi32_epi8(
        _mm512_min_epi32(_mm512_max_epi32(values, self.low), self.high))
    }
  }

  private func words(_ value: Int32) -> __m512i {
    unsafeBitCast(Sums(repeating: value), to: __m512i.self)
  }
#elseif canImport(WebAssemblyIntrinsics)
  import WebAssemblyIntrinsics

  private typealias Signed = SignedBytes
  private typealias Unsigned = UnsignedBytes

  @inline(never)
  private func add<Elements: QuantizedLanes>(_ arguments: QuantizedAdd, as: Elements.Type) {
    let run = arguments.run
    let a = run.a.start.assumingMemoryBound(to: Elements.Scalar.self)
    let b = run.b.start.assumingMemoryBound(to: Elements.Scalar.self)
    let y = run.y.assumingMemoryBound(to: Elements.Scalar.self)
    let (repeatsA, repeatsB, count) = (run.a.isRepeated, run.b.isRepeated, run.count)
    let sum = DoubleSum(arguments)
    let firstA = Elements.repeating(a)
    let firstB = Elements.repeating(b)
    var i = 0
    while i < count {
      let left = repeatsA ? firstA : Elements.load(a + i)
      let right = repeatsB ? firstB : Elements.load(b + i)
      Elements.store(sum.rounded(left, right), to: y + i)
      i &+= Sums.scalarCount
    }
  }

  private struct DoubleSum {
    private let factorA: v128_t
    private let factorB: v128_t
    private let constant: v128_t
    private let low: Sums
    private let high: Sums

    init(_ sum: QuantizedAdd) {
      factorA = wasm_f64x2_splat(sum.a.factor)
      factorB = wasm_f64x2_splat(sum.b.factor)
      constant = wasm_f64x2_splat(sum.constant)
      low = Sums(repeating: sum.y.range.lowerBound)
      high = Sums(repeating: sum.y.range.upperBound)
    }

    /// Rounds four sums and clamps them.
    @inline(__always)
    func rounded(_ a: Sums, _ b: Sums) -> Sums {
      let first = rounded(pairs: a, b)
      let last = rounded(pairs: Sums(a[2], a[3], a[2], a[3]), Sums(b[2], b[3], b[2], b[3]))
      return clamp(Sums(first[0], first[2], last[0], last[2]), low, high)
    }

    /// The sums of the first two lanes, in the low words of lanes of 64 bits.
    @inline(__always)
    private func rounded(pairs a: Sums, _ b: Sums) -> Sums {
      let left = wasm_f64x2_mul(wasm_f64x2_convert_low_i32x4(a), factorA)
      let right = wasm_f64x2_mul(wasm_f64x2_convert_low_i32x4(b), factorB)
      let sum = wasm_f64x2_add(left, wasm_f64x2_add(right, constant))
      // From 2^52 on, whole numbers follow one another.
      return wasm_f64x2_add(sum, wasm_f64x2_splat(0x1.8p52))
    }
  }
#endif

#if (MARTLET_V4 && canImport(_Builtin_intrinsics)) || canImport(WebAssemblyIntrinsics)
  extension Level {
    package static var int8AddInDouble: (@Sendable (QuantizedAdd) -> Void)? {
      { sum in
        if sum.type == .int8 { add(sum, as: Signed.self) } else { add(sum, as: Unsigned.self) }
      }
    }
  }

  extension QuantizedAdd {
    /// The result of zeros, before it is rounded.
    fileprivate var constant: Double {
      Double(y.zeroPoint) - a.factor * Double(a.zeroPoint) - b.factor * Double(b.zeroPoint)
    }
  }
#else
  extension Level {
    package static var int8AddInDouble: (@Sendable (QuantizedAdd) -> Void)? { nil }
  }
#endif
