//===--- QuantizedLanes.swift - widening loads ----------------------------===//
//
// Loads that widen to 32 bits and stores that truncate, for signed and unsigned bytes and 16-bit
// integers.
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

/// The loads and stores of an element type.
protocol QuantizedLanes {
  associatedtype Scalar
  static func load(_ p: UnsafePointer<Scalar>) -> Sums
  /// The first element in all lanes.
  static func repeating(_ p: UnsafePointer<Scalar>) -> Sums
  /// Writes the low bits of each lane.
  static func store(_ sums: Sums, to p: UnsafeMutablePointer<Scalar>)
}

enum UnsignedBytes: QuantizedLanes {
  @inline(__always)
  static func load(_ p: UnsafePointer<UInt8>) -> Sums {
    #if MARTLET_V4 && canImport(_Builtin_intrinsics)
      let bytes = UnsafeRawPointer(p).loadUnaligned(as: __m128i.self)
      return unsafeBitCast(_mm512_cvtepu8_epi32(bytes), to: Sums.self)
    #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
      let bytes = __m128i(UnsafeRawPointer(p).loadUnaligned(as: Int64.self), 0)
      return unsafeBitCast(_mm256_cvtepu8_epi32(bytes), to: Sums.self)
    #else
      return Sums(truncatingIfNeeded: UnsafeRawPointer(p).loadUnaligned(as: SIMD4<UInt8>.self))
    #endif
  }

  @inline(__always)
  static func repeating(_ p: UnsafePointer<UInt8>) -> Sums { Sums(repeating: Int32(p[0])) }

  @inline(__always)
  static func store(_ sums: Sums, to p: UnsafeMutablePointer<UInt8>) {
    storeLowBytes(sums, to: p, Sums.scalarCount)
  }
}

enum SignedBytes: QuantizedLanes {
  @inline(__always)
  static func load(_ p: UnsafePointer<Int8>) -> Sums {
    #if MARTLET_V4 && canImport(_Builtin_intrinsics)
      let bytes = UnsafeRawPointer(p).loadUnaligned(as: __m128i.self)
      return unsafeBitCast(_mm512_cvtepi8_epi32(bytes), to: Sums.self)
    #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
      let bytes = __m128i(UnsafeRawPointer(p).loadUnaligned(as: Int64.self), 0)
      return unsafeBitCast(_mm256_cvtepi8_epi32(bytes), to: Sums.self)
    #else
      return Sums(truncatingIfNeeded: UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Int8>.self))
    #endif
  }

  @inline(__always)
  static func repeating(_ p: UnsafePointer<Int8>) -> Sums { Sums(repeating: Int32(p[0])) }

  @inline(__always)
  static func store(_ sums: Sums, to p: UnsafeMutablePointer<Int8>) {
    let bytes = UnsafeMutableRawPointer(p).assumingMemoryBound(to: UInt8.self)
    storeLowBytes(sums, to: bytes, Sums.scalarCount)
  }
}

enum Shorts: QuantizedLanes {
  @inline(__always)
  static func load(_ p: UnsafePointer<Int16>) -> Sums {
    #if MARTLET_V4 && canImport(_Builtin_intrinsics)
      let shorts = UnsafeRawPointer(p).loadUnaligned(as: __m256i.self)
      return unsafeBitCast(_mm512_cvtepi16_epi32(shorts), to: Sums.self)
    #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
      let shorts = UnsafeRawPointer(p).loadUnaligned(as: __m128i.self)
      return unsafeBitCast(_mm256_cvtepi16_epi32(shorts), to: Sums.self)
    #else
      return Sums(truncatingIfNeeded: UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Int16>.self))
    #endif
  }

  @inline(__always)
  static func repeating(_ p: UnsafePointer<Int16>) -> Sums { Sums(repeating: Int32(p[0])) }

  @inline(__always)
  static func store(_ sums: Sums, to p: UnsafeMutablePointer<Int16>) {
    #if MARTLET_V4 && canImport(_Builtin_intrinsics)
      let shorts = _mm512_cvtepi32_epi16(unsafeBitCast(sums, to: __m512i.self))
      UnsafeMutableRawPointer(p).storeBytes(of: shorts, as: __m256i.self)
    #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
      // Packing saturates, so values are sign-extended first.
      let half = Sums(repeating: 16)
      let low = (sums &<< half) &>> half
      let shorts = _mm_packs_epi32(
        unsafeBitCast(low.lowHalf, to: __m128i.self),
        unsafeBitCast(low.highHalf, to: __m128i.self))
      UnsafeMutableRawPointer(p).storeBytes(of: shorts, as: __m128i.self)
    #else
      UnsafeMutableRawPointer(p).storeBytes(
        of: SIMD4<Int16>(truncatingIfNeeded: sums), as: SIMD4<Int16>.self)
    #endif
  }
}
