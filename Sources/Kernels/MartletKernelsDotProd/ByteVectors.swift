//===--- ByteVectors.swift - 16-byte vectors ------------------------------===//
//
// Products of bytes, the two types of bytes, and loads and stores of partial vectors.
//
// Contract  A load or store accesses no more bytes than the count that it is given.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import _Builtin_intrinsics.arm.neon

  /// Sixteen bytes, or four groups of four.
  typealias Bytes = SIMD16<UInt8>

  /// Adds the products of four signed bytes and four others to each lane.
  @inline(__always)
  func addQuads(_ sum: Sums, _ x: Sums, _ w: Sums) -> Sums {
    let (x, w) = (unsafeBitCast(x, to: int8x16_t.self), unsafeBitCast(w, to: int8x16_t.self))
    #if MARTLET_NEON
      // Two products fit in 16 bits.
      let low = vmull_s8(vget_low_s8(x), vget_low_s8(w))
      return vpadalq_s16(sum, vpaddq_s16(low, vmull_high_s8(x, w)))
    #else
      return vdotq_s32(sum, w, x)
    #endif
  }

  #if MARTLET_I8MM
    /// Adds the products of two rows of eight signed bytes and two columns: of the first row with
    /// both, then of the second.
    @inline(__always)
    func addEights(_ sum: Sums, _ x: Sums, _ w: Sums) -> Sums {
      vmmlaq_s32(sum, unsafeBitCast(x, to: int8x16_t.self), unsafeBitCast(w, to: int8x16_t.self))
    }
  #endif

  /// A type of bytes.
  protocol ByteType {
    /// Converts a vector of bytes to signed ones, each the unsigned one minus 128.
    static func signed<Vector>(_ vector: Vector) -> Vector
    /// Saturates two vectors to bytes.
    static func saturated(_ low: int16x8_t, _ high: int16x8_t) -> Bytes
    static func clamped(_ bytes: Bytes, _ low: Bytes, _ high: Bytes) -> Bytes
  }

  enum SignedByte: ByteType {
    @inline(__always)
    static func signed<Vector>(_ vector: Vector) -> Vector { vector }

    @inline(__always)
    static func saturated(_ low: int16x8_t, _ high: int16x8_t) -> Bytes {
      unsafeBitCast(vcombine_s8(vqmovn_s16(low), vqmovn_s16(high)), to: Bytes.self)
    }

    @inline(__always)
    static func clamped(_ bytes: Bytes, _ low: Bytes, _ high: Bytes) -> Bytes {
      let raised = vmaxq_s8(signs(bytes), signs(low))
      return unsafeBitCast(vminq_s8(raised, signs(high)), to: Bytes.self)
    }

    @inline(__always)
    private static func signs(_ bytes: Bytes) -> int8x16_t {
      unsafeBitCast(bytes, to: int8x16_t.self)
    }
  }

  enum UnsignedByte: ByteType {
    @inline(__always)
    static func signed<Vector>(_ vector: Vector) -> Vector {
      unsafeBitCast(
        unsafeBitCast(vector, to: Bytes.self) ^ Bytes(repeating: 0x80), to: Vector.self)
    }

    @inline(__always)
    static func saturated(_ low: int16x8_t, _ high: int16x8_t) -> Bytes {
      vcombine_u8(vqmovun_s16(low), vqmovun_s16(high))
    }

    @inline(__always)
    static func clamped(_ bytes: Bytes, _ low: Bytes, _ high: Bytes) -> Bytes {
      vminq_u8(vmaxq_u8(bytes, low), high)
    }
  }

  /// Loads the first `count` of sixteen bytes; the others are zero.
  @inline(__always)
  func load(_ place: UnsafeRawPointer, _ count: Int) -> Bytes {
    if count >= 16 { return place.loadUnaligned(as: Bytes.self) }
    var first: UInt64 = 0
    var place = place
    if count & 8 != 0 {
      first = place.loadUnaligned(as: UInt64.self)
      place += 8
    }
    var rest: UInt64 = 0
    var bits: UInt64 = 0
    if count & 4 != 0 {
      rest = UInt64(place.loadUnaligned(as: UInt32.self))
      bits = 32
      place += 4
    }
    if count & 2 != 0 {
      rest |= UInt64(place.loadUnaligned(as: UInt16.self)) &<< bits
      bits &+= 16
      place += 2
    }
    if count & 1 != 0 { rest |= UInt64(place.load(as: UInt8.self)) &<< bits }
    let words = count & 8 != 0 ? SIMD2(first, rest) : SIMD2(rest, 0)
    return unsafeBitCast(words, to: Bytes.self)
  }

  /// Writes the first `count` of sixteen bytes.
  @inline(__always)
  func store(_ bytes: Bytes, to place: UnsafeMutableRawPointer, _ count: Int) {
    if count >= 16 { return place.storeBytes(of: bytes, as: Bytes.self) }
    storePart(bytes, to: place, count)
  }

  /// Writes the first `count` of sixteen bytes; `count` is at most 15.
  @inline(never)
  func storePart(_ bytes: Bytes, to place: UnsafeMutableRawPointer, _ count: Int) {
    let words = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    var word = words[0]
    var place = place
    if count & 8 != 0 {
      place.storeBytes(of: word, as: UInt64.self)
      place += 8
      word = words[1]
    }
    if count & 4 != 0 {
      place.storeBytes(of: UInt32(truncatingIfNeeded: word), as: UInt32.self)
      place += 4
      word &>>= 32
    }
    if count & 2 != 0 {
      place.storeBytes(of: UInt16(truncatingIfNeeded: word), as: UInt16.self)
      place += 2
      word &>>= 16
    }
    if count & 1 != 0 { place.storeBytes(of: UInt8(truncatingIfNeeded: word), as: UInt8.self) }
  }
#endif
