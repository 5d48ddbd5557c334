//===--- ShortLanes.swift - 16-bit vectors --------------------------------===//
//
// Interleaving and saturation, for which every x86-64 processor has an instruction, while plain
// vectors would take several.
//
// Contract  Vectors wider than 128 bits consist of 128-bit parts, which are processed
//           independently. All versions give the same integers.
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

#if MARTLET_V4
  typealias ShortLanes = SIMD32<Int16>
#elseif MARTLET_V3
  typealias ShortLanes = SIMD16<Int16>
#else
  typealias ShortLanes = SIMD8<Int16>
#endif

/// Creates a vector from its 128-bit parts, lowest first.
@inline(__always)
func joined(_ part: (Int) -> SIMD8<Int16>) -> ShortLanes {
  unsafeBitCast(joined { unsafeBitCast(part($0), to: SIMD4<Float>.self) }, to: ShortLanes.self)
}

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  #if MARTLET_V4
    private typealias Bits = __m512i
  #elseif MARTLET_V3
    private typealias Bits = __m256i
  #else
    private typealias Bits = __m128i
  #endif

  @inline(__always)
  private func bits(_ lanes: ShortLanes) -> Bits { unsafeBitCast(lanes, to: Bits.self) }
  @inline(__always)
  private func bits(_ sums: Sums) -> Bits { unsafeBitCast(sums, to: Bits.self) }
  @inline(__always)
  private func lanes(_ bits: Bits) -> ShortLanes { unsafeBitCast(bits, to: ShortLanes.self) }
#endif

/// Interleaves the bytes of two vectors.
@inline(__always)
func interleaveBytes(_ a: ShortLanes, _ b: ShortLanes) -> (low: ShortLanes, high: ShortLanes) {
  #if MARTLET_V4 && canImport(_Builtin_intrinsics)
    (
      lanes(_mm512_unpacklo_epi8(bits(a), bits(b))),
      lanes(_mm512_unpackhi_epi8(bits(a), bits(b)))
    )
  #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
    (
      lanes(_mm256_unpacklo_epi8(bits(a), bits(b))),
      lanes(_mm256_unpackhi_epi8(bits(a), bits(b)))
    )
  #elseif arch(x86_64) && canImport(_Builtin_intrinsics)
    (lanes(_mm_unpacklo_epi8(bits(a), bits(b))), lanes(_mm_unpackhi_epi8(bits(a), bits(b))))
  #else
    let (x, y) = (
      unsafeBitCast(a, to: SIMD16<UInt8>.self), unsafeBitCast(b, to: SIMD16<UInt8>.self)
    )
    return (
      ShortLanes(truncatingIfNeeded: x.lowHalf) | ShortLanes(truncatingIfNeeded: y.lowHalf) &<< 8,
      ShortLanes(truncatingIfNeeded: x.highHalf) | ShortLanes(truncatingIfNeeded: y.highHalf) &<< 8
    )
  #endif
}

/// Interleaves the lanes of two vectors.
@inline(__always)
func interleaveShorts(_ a: ShortLanes, _ b: ShortLanes) -> (low: ShortLanes, high: ShortLanes) {
  #if MARTLET_V4 && canImport(_Builtin_intrinsics)
    (
      lanes(_mm512_unpacklo_epi16(bits(a), bits(b))),
      lanes(_mm512_unpackhi_epi16(bits(a), bits(b)))
    )
  #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
    (
      lanes(_mm256_unpacklo_epi16(bits(a), bits(b))),
      lanes(_mm256_unpackhi_epi16(bits(a), bits(b)))
    )
  #elseif arch(x86_64) && canImport(_Builtin_intrinsics)
    (lanes(_mm_unpacklo_epi16(bits(a), bits(b))), lanes(_mm_unpackhi_epi16(bits(a), bits(b))))
  #else
    (
      ShortLanes(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]),
      ShortLanes(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
    )
  #endif
}

/// Interleaves pairs of lanes of two vectors.
@inline(__always)
func interleavePairs(_ a: ShortLanes, _ b: ShortLanes) -> (low: ShortLanes, high: ShortLanes) {
  #if MARTLET_V4 && canImport(_Builtin_intrinsics)
    (
      lanes(_mm512_unpacklo_epi32(bits(a), bits(b))),
      lanes(_mm512_unpackhi_epi32(bits(a), bits(b)))
    )
  #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
    (
      lanes(_mm256_unpacklo_epi32(bits(a), bits(b))),
      lanes(_mm256_unpackhi_epi32(bits(a), bits(b)))
    )
  #elseif arch(x86_64) && canImport(_Builtin_intrinsics)
    (lanes(_mm_unpacklo_epi32(bits(a), bits(b))), lanes(_mm_unpackhi_epi32(bits(a), bits(b))))
  #else
    (
      ShortLanes(a[0], a[1], b[0], b[1], a[2], a[3], b[2], b[3]),
      ShortLanes(a[4], a[5], b[4], b[5], a[6], a[7], b[6], b[7])
    )
  #endif
}

/// Interleaves groups of four lanes of two vectors.
@inline(__always)
func interleaveFours(_ a: ShortLanes, _ b: ShortLanes) -> (low: ShortLanes, high: ShortLanes) {
  #if MARTLET_V4 && canImport(_Builtin_intrinsics)
    (
      lanes(_mm512_unpacklo_epi64(bits(a), bits(b))),
      lanes(_mm512_unpackhi_epi64(bits(a), bits(b)))
    )
  #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
    (
      lanes(_mm256_unpacklo_epi64(bits(a), bits(b))),
      lanes(_mm256_unpackhi_epi64(bits(a), bits(b)))
    )
  #elseif arch(x86_64) && canImport(_Builtin_intrinsics)
    (lanes(_mm_unpacklo_epi64(bits(a), bits(b))), lanes(_mm_unpackhi_epi64(bits(a), bits(b))))
  #else
    (
      ShortLanes(lowHalf: a.lowHalf, highHalf: b.lowHalf),
      ShortLanes(lowHalf: a.highHalf, highHalf: b.highHalf)
    )
  #endif
}

/// The lanes of two vectors, saturated to 16 bits.
@inline(__always)
func saturatedShorts(_ low: Sums, _ high: Sums) -> ShortLanes {
  #if MARTLET_V4 && canImport(_Builtin_intrinsics)
    lanes(_mm512_packs_epi32(bits(low), bits(high)))
  #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
    lanes(_mm256_packs_epi32(bits(low), bits(high)))
  #elseif arch(x86_64) && canImport(_Builtin_intrinsics)
    lanes(_mm_packs_epi32(bits(low), bits(high)))
  #else
    plainSaturatedShorts(low, high)
  #endif
}

/// The lanes of two vectors, saturated to 0...255.
@inline(__always)
func saturatedBytes(_ low: ShortLanes, _ high: ShortLanes) -> ShortLanes {
  #if MARTLET_V4 && canImport(_Builtin_intrinsics)
    lanes(_mm512_packus_epi16(bits(low), bits(high)))
  #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
    lanes(_mm256_packus_epi16(bits(low), bits(high)))
  #elseif arch(x86_64) && canImport(_Builtin_intrinsics)
    lanes(_mm_packus_epi16(bits(low), bits(high)))
  #else
    plainSaturatedBytes(low, high)
  #endif
}

#if !MARTLET_V3 && !MARTLET_V4
  /// `saturatedShorts` without the special instruction.
  @inline(__always)
  func plainSaturatedShorts(_ low: Sums, _ high: Sums) -> ShortLanes {
    let (least, most) = (Sums(repeating: -32768), Sums(repeating: 32767))
    return ShortLanes(
      lowHalf: SIMD4(truncatingIfNeeded: clamp(low, least, most)),
      highHalf: SIMD4(truncatingIfNeeded: clamp(high, least, most)))
  }

  /// `saturatedBytes` without the special instruction.
  @inline(__always)
  func plainSaturatedBytes(_ low: ShortLanes, _ high: ShortLanes) -> ShortLanes {
    let (least, most) = (ShortLanes.zero, ShortLanes(repeating: 255))
    let bytes = SIMD16<UInt8>(
      lowHalf: SIMD8(truncatingIfNeeded: low.clamped(lowerBound: least, upperBound: most)),
      highHalf: SIMD8(truncatingIfNeeded: high.clamped(lowerBound: least, upperBound: most)))
    return unsafeBitCast(bytes, to: ShortLanes.self)
  }
#endif
