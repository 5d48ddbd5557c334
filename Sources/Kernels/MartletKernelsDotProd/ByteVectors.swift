//===--- ByteVectors.swift - 16-byte vectors ------------------------------===//
//
// Products of bytes, and loads and stores of partial vectors.
//
// Contract  A function accesses no more bytes than the count that it is given.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import _Builtin_intrinsics.arm.neon

  /// Sixteen bytes, or four groups of four.
  typealias Bytes = SIMD16<UInt8>

  /// Adds the products of four signed bytes and four others to each lane.
  @inline(__always)
  func addQuads(_ sum: Sums, _ x: Sums, _ w: Sums) -> Sums {
    vdotq_s32(sum, unsafeBitCast(w, to: int8x16_t.self), unsafeBitCast(x, to: int8x16_t.self))
  }

  #if MARTLET_I8MM
    /// Adds the products of two rows of eight signed bytes and two columns: of the first row with
    /// both, then of the second.
    @inline(__always)
    func addEights(_ sum: Sums, _ x: Sums, _ w: Sums) -> Sums {
      vmmlaq_s32(sum, unsafeBitCast(x, to: int8x16_t.self), unsafeBitCast(w, to: int8x16_t.self))
    }
  #endif

  /// The mask that makes bytes signed, if `flip` makes them unsigned.
  @inline(__always)
  func signing(_ flip: UInt8) -> Bytes { Bytes(repeating: flip ^ 0x80) }

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
