//===--- JPEGLanes.swift - eight 16-bit integers at a time ----------------===//
//
// What the inverse transform is made of, where plain vectors would cost several instructions for one
// that every x86-64 has.
//
// Contract  Both versions give the same integers.
// Checked   Tests/MartletCodecsTests/JPEGLanesTests.swift
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

typealias JPEGLanes = SIMD8<Int16>

extension JPEGLanes {
  /// The lanes of two vectors by turns.
  @inline(__always)
  static func interleave(_ a: Self, _ b: Self) -> (low: Self, high: Self) {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let (x, y) = (unsafeBitCast(a, to: __m128i.self), unsafeBitCast(b, to: __m128i.self))
      return (
        unsafeBitCast(_mm_unpacklo_epi16(x, y), to: Self.self),
        unsafeBitCast(_mm_unpackhi_epi16(x, y), to: Self.self)
      )
    #else
      return (
        Self(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]),
        Self(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
      )
    #endif
  }

  /// The pairs of lanes of two vectors by turns.
  @inline(__always)
  static func interleavePairs(_ a: Self, _ b: Self) -> (low: Self, high: Self) {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let (x, y) = (unsafeBitCast(a, to: __m128i.self), unsafeBitCast(b, to: __m128i.self))
      return (
        unsafeBitCast(_mm_unpacklo_epi32(x, y), to: Self.self),
        unsafeBitCast(_mm_unpackhi_epi32(x, y), to: Self.self)
      )
    #else
      return (
        Self(a[0], a[1], b[0], b[1], a[2], a[3], b[2], b[3]),
        Self(a[4], a[5], b[4], b[5], a[6], a[7], b[6], b[7])
      )
    #endif
  }

  /// The halves of two vectors by turns.
  @inline(__always)
  static func interleaveHalves(_ a: Self, _ b: Self) -> (low: Self, high: Self) {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let (x, y) = (unsafeBitCast(a, to: __m128i.self), unsafeBitCast(b, to: __m128i.self))
      return (
        unsafeBitCast(_mm_unpacklo_epi64(x, y), to: Self.self),
        unsafeBitCast(_mm_unpackhi_epi64(x, y), to: Self.self)
      )
    #else
      return (
        Self(lowHalf: a.lowHalf, highHalf: b.lowHalf),
        Self(lowHalf: a.highHalf, highHalf: b.highHalf)
      )
    #endif
  }

  /// For each pair of lanes (x, y): a x + b y.
  @inline(__always) func pairSums(_ a: Int16, _ b: Int16) -> SIMD4<Int32> {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let factors = Self(a, b, a, b, a, b, a, b)
      let sums = _mm_madd_epi16(
        unsafeBitCast(self, to: __m128i.self), unsafeBitCast(factors, to: __m128i.self))
      return unsafeBitCast(sums, to: SIMD4<Int32>.self)
    #else
      return pairSumsPlainly(a, b)
    #endif
  }

  /// `pairSums` without the instruction for it.
  @inline(__always) func pairSumsPlainly(_ a: Int16, _ b: Int16) -> SIMD4<Int32> {
    SIMD4(truncatingIfNeeded: evenHalf) &* SIMD4(repeating: Int32(a))
      &+ SIMD4(truncatingIfNeeded: oddHalf) &* SIMD4(repeating: Int32(b))
  }

  /// Two halves, each lane as near as 16 bits come to it.
  @inline(__always) init(saturating low: SIMD4<Int32>, _ high: SIMD4<Int32>) {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let lanes = _mm_packs_epi32(
        unsafeBitCast(low, to: __m128i.self), unsafeBitCast(high, to: __m128i.self))
      self = unsafeBitCast(lanes, to: Self.self)
    #else
      self.init(saturatingPlainly: low, high)
    #endif
  }

  /// `init(saturating:)` without the instruction for it.
  @inline(__always) init(saturatingPlainly low: SIMD4<Int32>, _ high: SIMD4<Int32>) {
    let (least, most) = (SIMD8<Int32>(repeating: -32768), SIMD8<Int32>(repeating: 32767))
    let lanes = SIMD8<Int32>(lowHalf: low, highHalf: high)
    self.init(truncatingIfNeeded: lanes.clamped(lowerBound: least, upperBound: most))
  }
}

extension SIMD16<UInt8> {
  /// Two halves, each lane as near as 0...255 comes to it.
  @inline(__always) init(saturating low: JPEGLanes, _ high: JPEGLanes) {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let bytes = _mm_packus_epi16(
        unsafeBitCast(low, to: __m128i.self), unsafeBitCast(high, to: __m128i.self))
      self = unsafeBitCast(bytes, to: Self.self)
    #else
      self.init(saturatingPlainly: low, high)
    #endif
  }

  /// `init(saturating:)` without the instruction for it.
  @inline(__always) init(saturatingPlainly low: JPEGLanes, _ high: JPEGLanes) {
    let (least, most) = (JPEGLanes(), JPEGLanes(repeating: 255))
    self.init(
      lowHalf: SIMD8(truncatingIfNeeded: low.clamped(lowerBound: least, upperBound: most)),
      highHalf: SIMD8(truncatingIfNeeded: high.clamped(lowerBound: least, upperBound: most)))
  }

  /// The bytes of two vectors by turns.
  @inline(__always)
  static func interleave(_ a: Self, _ b: Self) -> (low: JPEGLanes, high: JPEGLanes) {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let (x, y) = (unsafeBitCast(a, to: __m128i.self), unsafeBitCast(b, to: __m128i.self))
      return (
        unsafeBitCast(_mm_unpacklo_epi8(x, y), to: JPEGLanes.self),
        unsafeBitCast(_mm_unpackhi_epi8(x, y), to: JPEGLanes.self)
      )
    #else
      let low = JPEGLanes(truncatingIfNeeded: a.lowHalf)
      let high = JPEGLanes(truncatingIfNeeded: a.highHalf)
      return (
        low | JPEGLanes(truncatingIfNeeded: b.lowHalf) &<< 8,
        high | JPEGLanes(truncatingIfNeeded: b.highHalf) &<< 8
      )
    #endif
  }
}
