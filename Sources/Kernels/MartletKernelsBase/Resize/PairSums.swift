//===--- PairSums.swift - weighted sums of taps ---------------------------===//
//
// Sums two taps at a time. A weight w of at most 2^22 is split into 16-bit h and l with w = 2^15 h
// + l. The h of two taps share a 32-bit number, and so do their l.
//
// Contract  Exact: the sums equal those of whole products.
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#elseif canImport(WebAssemblyIntrinsics)
  import WebAssemblyIntrinsics
#endif

/// Four pairs of 16-bit integers.
typealias ShortPairs = SIMD8<Int16>

/// Four sums.
struct PairSums {
  private var high = SIMD4<Int32>()
  private var low = SIMD4<Int32>()

  init() {}

  /// Creates the sums from totals.
  @inline(__always) init(_ total: SIMD4<Int32>) { low = total }

  /// Returns the sums, each of which fits in 32 bits.
  @inline(__always) var total: SIMD4<Int32> { high &<< 15 &+ low }

  /// Returns the sums of two vectors in units of 2^`shift`, rounded to bytes. Each sum may exceed
  /// 255 units only slightly.
  @inline(__always)
  static func bytes(_ low: PairSums, _ high: PairSums, shift: Int32) -> SIMD8<UInt8> {
    let half = SIMD4<Int32>(repeating: 1 &<< (shift &- 1))
    let shifts = SIMD4<Int32>(repeating: shift)
    let first = (low.total &+ half) &>> shifts
    let second = (high.total &+ half) &>> shifts
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let shorts = _mm_packs_epi32(
        unsafeBitCast(first, to: __m128i.self), unsafeBitCast(second, to: __m128i.self))
      return unsafeBitCast(_mm_packus_epi16(shorts, shorts)[0], to: SIMD8<UInt8>.self)
    #elseif canImport(WebAssemblyIntrinsics)
      let shorts = wasm_i16x8_narrow_i32x4(first, second)
      return unsafeBitCast(wasm_u8x16_narrow_i16x8(shorts, shorts), to: SIMD16<UInt8>.self).lowHalf
    #else
      let all = SIMD8(lowHalf: first, highHalf: second)
      let top = SIMD8<Int32>(repeating: 255)
      return SIMD8(truncatingIfNeeded: all.replacing(with: top, where: all .> top))
    #endif
  }

  /// Adds the weighted taps of `pairs`, two adjacent taps per sum.
  @inline(__always)
  mutating func add(_ pairs: ShortPairs, _ highWeights: Int32, _ lowWeights: Int32) {
    high &+= Self.products(pairs, highWeights)
    low &+= Self.products(pairs, lowWeights)
  }

  @inline(__always)
  private static func products(_ pairs: ShortPairs, _ weights: Int32) -> SIMD4<Int32> {
    let weights = SIMD4<Int32>(repeating: weights)
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let sums = _mm_madd_epi16(
        unsafeBitCast(pairs, to: __m128i.self), unsafeBitCast(weights, to: __m128i.self))
      return unsafeBitCast(sums, to: SIMD4<Int32>.self)
    #elseif canImport(WebAssemblyIntrinsics)
      return wasm_i32x4_dot_i16x8(unsafeBitCast(pairs, to: SIMD4<Int32>.self), weights)
    #else
      return plainProducts(pairs, unsafeBitCast(weights, to: ShortPairs.self))
    #endif
  }

  /// `products` without the special instruction.
  @inline(__always)
  static func plainProducts(_ pairs: ShortPairs, _ weights: ShortPairs) -> SIMD4<Int32> {
    SIMD4(truncatingIfNeeded: pairs.evenHalf) &* SIMD4(truncatingIfNeeded: weights.evenHalf)
      &+ SIMD4(truncatingIfNeeded: pairs.oddHalf) &* SIMD4(truncatingIfNeeded: weights.oddHalf)
  }

  /// Interleaves the first four bytes of two adjacent pixels of three bytes. Eight bytes are read.
  @inline(__always) static func pixels(_ a: UnsafeRawPointer) -> ShortPairs {
    #if canImport(WebAssemblyIntrinsics)
      let x = shorts(a)
      return ShortPairs(x[0], x[3], x[1], x[4], x[2], x[5], x[3], x[6])
    #else
      let (x, y) = (a.loadUnaligned(as: Int32.self), (a + 3).loadUnaligned(as: Int32.self))
      #if arch(x86_64) && canImport(_Builtin_intrinsics)
        let bytes = _mm_unpacklo_epi8(_mm_cvtsi32_si128(x), _mm_cvtsi32_si128(y))
        return unsafeBitCast(_mm_unpacklo_epi8(bytes, _mm_setzero_si128()), to: ShortPairs.self)
      #else
        let (p, q) = (unsafeBitCast(x, to: Four.self), unsafeBitCast(y, to: Four.self))
        return beside(p, q)
      #endif
    #endif
  }

  /// Interleaves the first eight bytes at two addresses: four pairs, and four more.
  @inline(__always)
  static func eight(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> (ShortPairs, ShortPairs) {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let x = a.loadUnaligned(as: Int64.self)
      let y = b.loadUnaligned(as: Int64.self)
      let bytes = _mm_unpacklo_epi8(_mm_cvtsi64_si128(x), _mm_cvtsi64_si128(y))
      return (
        unsafeBitCast(_mm_unpacklo_epi8(bytes, _mm_setzero_si128()), to: ShortPairs.self),
        unsafeBitCast(_mm_unpackhi_epi8(bytes, _mm_setzero_si128()), to: ShortPairs.self)
      )
    #elseif canImport(WebAssemblyIntrinsics)
      let (p, q) = (shorts(a), shorts(b))
      return (
        ShortPairs(p[0], q[0], p[1], q[1], p[2], q[2], p[3], q[3]),
        ShortPairs(p[4], q[4], p[5], q[5], p[6], q[6], p[7], q[7])
      )
    #else
      let p = a.loadUnaligned(as: SIMD8<UInt8>.self)
      let q = b.loadUnaligned(as: SIMD8<UInt8>.self)
      return (beside(p.lowHalf, q.lowHalf), beside(p.highHalf, q.highHalf))
    #endif
  }

  #if canImport(WebAssemblyIntrinsics)
    /// Loads eight bytes as 16-bit numbers.
    @inline(__always) private static func shorts(_ a: UnsafeRawPointer) -> ShortPairs {
      unsafeBitCast(wasm_u16x8_load8x8(a), to: ShortPairs.self)
    }
  #endif

  private typealias Four = SIMD4<UInt8>

  @inline(__always) private static func beside(_ a: Four, _ b: Four) -> ShortPairs {
    unsafeBitCast(
      SIMD4<Int32>(truncatingIfNeeded: a) | SIMD4<Int32>(truncatingIfNeeded: b) &<< 16,
      to: ShortPairs.self)
  }
}
