//===--- ByteVectors.swift - vectors of bytes -----------------------------===//
//
// The instructions that the byte kernels use, for vectors of 512 bits (AVX-512 with VNNI) or of 256
// (AVX-VNNI), and loads and stores of parts of vectors.
//
// Contract  A load or store accesses no more bytes than the count that it is given.
//===----------------------------------------------------------------------===//

import _Builtin_intrinsics.intel

#if MARTLET_V4
  typealias Bits = __m512i
  typealias HalfBits = __m256i
  typealias Reals = SIMD8<Double>
  typealias HalfSums = SIMD8<Int32>
#else
  typealias Bits = __m256i
  typealias HalfBits = __m128i
  typealias Reals = SIMD4<Double>
  typealias HalfSums = SIMD4<Int32>
#endif

@inline(__always)
func bits(_ sums: Sums) -> Bits { unsafeBitCast(sums, to: Bits.self) }

@inline(__always)
func sums(_ bits: Bits) -> Sums { unsafeBitCast(bits, to: Sums.self) }

/// Adds the products of four unsigned bytes and four signed ones to each lane.
@inline(__always)
func addQuads(_ sum: Sums, _ x: Sums, _ w: Sums) -> Sums {
  #if MARTLET_V4
    sums(_mm512_dpbusd_epi32(bits(sum), bits(x), bits(w)))
  #else
    sums(_mm256_dpbusd_avx_epi32(bits(sum), bits(x), bits(w)))
  #endif
}

/// Multiplies the even lanes.
@inline(__always)
func evenProducts(_ a: Bits, _ b: Bits) -> Bits {
  #if MARTLET_V4
    _mm512_mul_epi32(a, b)
  #else
    _mm256_mul_epi32(a, b)
  #endif
}

/// Moves odd lanes to the even lanes before them.
@inline(__always)
func oddLanes(_ a: Bits) -> Bits {
  #if MARTLET_V4
    _mm512_srl_epi64(a, __m128i(32, 0))
  #else
    _mm256_srl_epi64(a, __m128i(32, 0))
  #endif
}

/// The even lanes of one vector and the odd lanes of another.
@inline(__always)
func alternated(_ even: Bits, _ odd: Bits) -> Bits {
  #if MARTLET_V4
    _mm512_mask_blend_epi32(0xaaaa, even, odd)
  #else
    // The compiler selects a blend with a constant mask.
    _mm256_blendv_epi8(even, odd, __m256i(repeating: -1 << 32))
  #endif
}

@inline(__always)
func shiftedRight(_ a: Bits, _ counts: Bits) -> Bits {
  #if MARTLET_V4
    _mm512_srav_epi32(a, counts)
  #else
    _mm256_srav_epi32(a, counts)
  #endif
}

@inline(__always)
func shiftedLeft(_ a: Bits, _ counts: Bits) -> Bits {
  #if MARTLET_V4
    _mm512_sllv_epi32(a, counts)
  #else
    _mm256_sllv_epi32(a, counts)
  #endif
}

/// Saturates lanes of 32 bits to 16 bits, those of each quarter or half together, and adds `zero`.
@inline(__always)
func shorts(_ a: Sums, _ b: Sums, plus zero: Bits) -> Bits {
  #if MARTLET_V4
    _mm512_adds_epi16(_mm512_packs_epi32(bits(a), bits(b)), zero)
  #else
    _mm256_adds_epi16(_mm256_packs_epi32(bits(a), bits(b)), zero)
  #endif
}

/// Saturates lanes of 16 bits to unsigned bytes within a range.
@inline(__always)
func bytes(_ a: Bits, _ b: Bits, from low: Bits, to high: Bits) -> Bits {
  #if MARTLET_V4
    _mm512_max_epu8(_mm512_min_epu8(_mm512_packus_epi16(a, b), high), low)
  #else
    _mm256_max_epu8(_mm256_min_epu8(_mm256_packus_epi16(a, b), high), low)
  #endif
}

/// Puts groups of four bytes in the order of the vectors that were packed.
@inline(__always)
func inOrder(_ bytes: Bits) -> Bits {
  #if MARTLET_V4
    let order = Sums(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
    return _mm512_permutexvar_epi32(bits(order), bytes)
  #else
    return _mm256_permutevar8x32_epi32(bytes, bits(Sums(0, 4, 1, 5, 2, 6, 3, 7)))
  #endif
}

/// Interleaves the bytes of four vectors: in each 128 bits the first four of each, then the next.
@inline(__always)
func interleaved(_ a: Bits, _ b: Bits, _ c: Bits, _ d: Bits) -> (Sums, Sums, Sums, Sums) {
  #if MARTLET_V4
    let low = (_mm512_unpacklo_epi8(a, b), _mm512_unpacklo_epi8(c, d))
    let high = (_mm512_unpackhi_epi8(a, b), _mm512_unpackhi_epi8(c, d))
    return (
      sums(_mm512_unpacklo_epi16(low.0, low.1)), sums(_mm512_unpackhi_epi16(low.0, low.1)),
      sums(_mm512_unpacklo_epi16(high.0, high.1)), sums(_mm512_unpackhi_epi16(high.0, high.1))
    )
  #else
    let low = (_mm256_unpacklo_epi8(a, b), _mm256_unpacklo_epi8(c, d))
    let high = (_mm256_unpackhi_epi8(a, b), _mm256_unpackhi_epi8(c, d))
    return (
      sums(_mm256_unpacklo_epi16(low.0, low.1)), sums(_mm256_unpackhi_epi16(low.0, low.1)),
      sums(_mm256_unpacklo_epi16(high.0, high.1)), sums(_mm256_unpackhi_epi16(high.0, high.1))
    )
  #endif
}

@inline(__always)
func repeated(_ byte: UInt8) -> Bits {
  bits(Sums(repeating: Int32(truncatingIfNeeded: UInt32(byte) &* 0x0101_0101)))
}

/// The same; not inlined, because the compiler would flip single numbers before they are repeated.
@inline(never)
func flips(_ byte: UInt8) -> Bits { repeated(byte) }

@inline(__always)
func reals(_ sums: HalfSums) -> Reals {
  #if MARTLET_V4
    _mm512_cvtepi32_pd(unsafeBitCast(sums, to: HalfBits.self))
  #else
    _mm256_cvtepi32_pd(unsafeBitCast(sums, to: HalfBits.self))
  #endif
}

/// Converts reals to integers, towards zero.
@inline(__always)
func truncated(_ reals: Reals) -> HalfSums {
  #if MARTLET_V4
    unsafeBitCast(_mm512_cvttpd_epi32(reals), to: HalfSums.self)
  #else
    unsafeBitCast(_mm256_cvttpd_epi32(reals), to: HalfSums.self)
  #endif
}

@inline(__always)
func clamp(_ reals: Reals, to limit: Double) -> Reals {
  #if MARTLET_V4
    _mm512_max_pd(_mm512_min_pd(reals, Reals(repeating: limit)), Reals(repeating: -limit))
  #else
    _mm256_max_pd(_mm256_min_pd(reals, Reals(repeating: limit)), Reals(repeating: -limit))
  #endif
}

// Parts of vectors.

#if MARTLET_V4
  /// Loads the first `count` bytes of a vector; the others are zero. `count` is positive.
  @inline(__always)
  func load(_ place: UnsafeRawPointer, _ count: Int) -> Bits {
    _mm512_maskz_loadu_epi8(byteMask(count), place)
  }

  /// Stores the first `count` bytes of a vector; `count` is positive.
  @inline(__always)
  func store(_ bytes: Bits, to place: UnsafeMutableRawPointer, _ count: Int) {
    _mm512_mask_storeu_epi8(place, byteMask(count), bytes)
  }

  /// Stores the first `count` bytes of a part of a vector; parts have `width` bytes.
  @inline(__always)
  func store(
    _ bytes: Bits, _ part: Int, _ width: Int, to place: UnsafeMutableRawPointer, _ count: Int
  ) {
    guard count == width else {
      let mask = byteMask(count) &<< UInt64(truncatingIfNeeded: part &* width)
      return _mm512_mask_storeu_epi8(place - part &* width, mask, bytes)
    }
    if width == 64 { return place.storeBytes(of: bytes, as: Bits.self) }
    let half = (part &* width) & 32 == 0 ? bytes.lowHalf : bytes.highHalf
    if width == 32 { return place.storeBytes(of: half, as: HalfBits.self) }
    place.storeBytes(of: part & 1 == 0 ? half.lowHalf : half.highHalf, as: __m128i.self)
  }

  /// A mask of the first `count` of 64 bytes; `count` is 1...64.
  @inline(__always)
  private func byteMask(_ count: Int) -> UInt64 { ~0 &>> UInt64(truncatingIfNeeded: 64 &- count) }
#else
  /// Loads the first `count` bytes of a vector; the others are zero. `count` is positive.
  @inline(never)
  func load(_ place: UnsafeRawPointer, _ count: Int) -> Bits {
    let low = loadPart(place, count)
    return Bits(lowHalf: low, highHalf: count > 16 ? loadPart(place + 16, count &- 16) : .zero)
  }

  /// Stores the first `count` bytes of a vector; `count` is positive.
  @inline(never)
  func store(_ bytes: Bits, to place: UnsafeMutableRawPointer, _ count: Int) {
    storePart(bytes.lowHalf, to: place, count)
    if count > 16 { storePart(bytes.highHalf, to: place + 16, count &- 16) }
  }

  /// Stores the first `count` bytes of a part of a vector; parts have `width` bytes.
  @inline(__always)
  func store(
    _ bytes: Bits, _ part: Int, _ width: Int, to place: UnsafeMutableRawPointer, _ count: Int
  ) {
    if width == 32 {
      if count == 32 { return place.storeBytes(of: bytes, as: Bits.self) }
      return store(bytes, to: place, count)
    }
    let half = part == 0 ? bytes.lowHalf : bytes.highHalf
    if count == 16 { return place.storeBytes(of: half, as: HalfBits.self) }
    store(Bits(lowHalf: half, highHalf: .zero), to: place, count)
  }

  @inline(__always)
  private func loadPart(_ place: UnsafeRawPointer, _ count: Int) -> HalfBits {
    if count >= 16 { return place.loadUnaligned(as: HalfBits.self) }
    if count <= 8 { return HalfBits(loadWord(place, count), 0) }
    return HalfBits(place.loadUnaligned(as: Int64.self), loadWord(place + 8, count &- 8))
  }

  @inline(__always)
  private func storePart(_ bytes: HalfBits, to place: UnsafeMutableRawPointer, _ count: Int) {
    if count >= 16 { return place.storeBytes(of: bytes, as: HalfBits.self) }
    if count <= 8 { return storeWord(bytes[0], to: place, count) }
    place.storeBytes(of: bytes[0], as: Int64.self)
    storeWord(bytes[1], to: place + 8, count &- 8)
  }

  /// Loads 1...8 bytes, some of them twice.
  @inline(__always)
  private func loadWord(_ place: UnsafeRawPointer, _ count: Int) -> Int64 {
    func load<Part: FixedWidthInteger & BitwiseCopyable>(_: Part.Type, _ index: Int) -> Int64 {
      let part = (place + index).loadUnaligned(as: Part.self)
      return Int64(truncatingIfNeeded: part) &<< Int64(8 &* index)
    }
    if count >= 4 { return load(UInt32.self, 0) | load(UInt32.self, count &- 4) }
    return load(UInt8.self, 0) | load(UInt8.self, count / 2) | load(UInt8.self, count &- 1)
  }

  /// Stores 1...8 bytes, some of them twice.
  @inline(__always)
  private func storeWord(_ word: Int64, to place: UnsafeMutableRawPointer, _ count: Int) {
    func store<Part: FixedWidthInteger & BitwiseCopyable>(_: Part.Type, _ index: Int) {
      let part = Part(truncatingIfNeeded: word &>> Int64(8 &* index))
      (place + index).storeBytes(of: part, as: Part.self)
    }
    if count >= 4 {
      store(UInt32.self, 0)
      store(UInt32.self, count &- 4)
    } else {
      store(UInt8.self, 0)
      store(UInt8.self, count / 2)
      store(UInt8.self, count &- 1)
    }
  }
#endif
