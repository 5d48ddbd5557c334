//===--- Level.swift - the instruction set that multiplies bytes ----------===//
//
// DotProd, an extension of arm64: an instruction that multiplies four signed bytes by four others and adds
// all to a 32-bit sum. A module with the kernels that need it and no other, and empty on other processors,
// since a package for Apple's systems may be compiled for several at once.
//
// Checked   Tests/MartletKernelsTests, where the processor has it; .ci/check-arm64
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  /// The microkernels of DotProd.
  package enum Level: ByteInstructionSet {
    package static var name: StaticString { "DotProd" }
    package static var int8TileName: StaticString { "6x16" }
    package static var int8TileRows: Int { 6 }
    package static var int8PanelVectors: Int { 1 }
    package static var byteOffset: Int32 { 128 }
  }

  /// Sixteen bytes, or four times four.
  typealias Bytes = SIMD16<UInt8>

  /// Adds the products of four signed bytes and four others to each lane.
  @inline(__always)
  func addQuads(_ sum: Sums, _ x: Sums, _ w: Sums) -> Sums {
    vdotq_s32(sum, unsafeBitCast(w, to: int8x16_t.self), unsafeBitCast(x, to: int8x16_t.self))
  }

  /// What makes signed bytes of bytes whose top bit `flip` would turn into unsigned ones.
  @inline(__always)
  func signing(_ flip: UInt8) -> Bytes { Bytes(repeating: flip ^ 0x80) }

  /// The first `count` of sixteen bytes, and zeros.
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
