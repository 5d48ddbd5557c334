//===--- VP8Vectors.swift - operations on vectors -------------------------===//
//
// Operations of concrete types, which are a few instructions each; those of generic types are loops
// or calls.
//
// Contract  Little-endian, as every platform of the package.
//===----------------------------------------------------------------------===//

extension SIMD8<UInt8> {
  /// The elements of both vectors in turn. A list of elements becomes one instruction, while the setters of
  /// `evenHalf` and `oddHalf` may become calls.
  @inline(__always) func interleaved(with b: Self) -> SIMD16<UInt8> {
    SIMD16(
      self[0], b[0], self[1], b[1], self[2], b[2], self[3], b[3], self[4], b[4], self[5], b[5],
      self[6], b[6], self[7], b[7])
  }
}

extension SIMD8<UInt16> {
  /// The elements of both vectors in turn.
  @inline(__always) func interleaved(with b: Self) -> SIMD16<UInt16> {
    SIMD16(
      self[0], b[0], self[1], b[1], self[2], b[2], self[3], b[3], self[4], b[4], self[5], b[5],
      self[6], b[6], self[7], b[7])
  }
}

extension SIMD16<UInt16> {
  /// The elements of both vectors in turn.
  @inline(__always) func interleaved(with odd: Self) -> SIMD32<UInt16> {
    SIMD32(
      lowHalf: lowHalf.interleaved(with: odd.lowHalf),
      highHalf: highHalf.interleaved(with: odd.highHalf))
  }
}

extension SIMD16<UInt8> {
  /// The elements of both vectors in turn.
  @inline(__always) func interleaved(with odd: Self) -> SIMD32<UInt8> {
    SIMD32(
      lowHalf: lowHalf.interleaved(with: odd.lowHalf),
      highHalf: highHalf.interleaved(with: odd.highHalf))
  }

  /// The elements as numbers of 16 bits.
  @inline(__always) var widened: SIMD16<UInt16> {
    unsafe unsafeBitCast(interleaved(with: Self.zero), to: SIMD16<UInt16>.self)
  }

  /// The elements as signed numbers of 16 bits.
  @inline(__always) var signed: SIMD16<Int16> {
    unsafe unsafeBitCast(interleaved(with: Self.zero), to: SIMD16<Int16>.self)
  }
}

extension SIMD16<Int16> {
  /// The elements, which must be above -16,384, or `most` if they are larger. A shift and a mask are fewer
  /// instructions than a comparison and a choice.
  @inline(__always) func atMost(_ most: Int16) -> Self {
    let room = Self(repeating: most) &- self
    return Self(repeating: most) &- (room & ~(room &>> 15))
  }

  /// The elements, each limited to a byte.
  @inline(__always) var limitedToBytes: SIMD16<UInt8> {
    SIMD16<UInt8>(truncatingIfNeeded: (self & ~(self &>> 15)).atMost(255))
  }

  /// The elements, each limited to a signed byte.
  @inline(__always) var limitedToSignedBytes: Self {
    let raised = self &+ 128
    return (raised & ~(raised &>> 15)).atMost(255) &- 128
  }
}

/// Four rows of four samples.
enum VP8Block {
  /// The samples at `place`.
  @inline(__always)
  static func load(_ place: UnsafeMutablePointer<UInt8>, stride: Int) -> SIMD16<UInt8> {
    let rows = unsafe SIMD4<UInt32>(
      row(place), row(place + stride), row(place + 2 &* stride), row(place + 3 &* stride))
    return unsafe unsafeBitCast(rows, to: SIMD16<UInt8>.self)
  }

  @inline(__always) private static func row(_ place: UnsafeMutablePointer<UInt8>) -> UInt32 {
    unsafe UnsafeRawPointer(place).loadUnaligned(as: UInt32.self)
  }

  /// Stores samples at `place`.
  @inline(__always)
  static func store(
    _ samples: SIMD16<UInt8>, to place: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    let rows = unsafe unsafeBitCast(samples, to: SIMD4<UInt32>.self)
    let place = UnsafeMutableRawPointer(place)
    unsafe place.storeBytes(of: rows.x, as: UInt32.self)
    unsafe (place + stride).storeBytes(of: rows.y, as: UInt32.self)
    unsafe (place + 2 &* stride).storeBytes(of: rows.z, as: UInt32.self)
    unsafe (place + 3 &* stride).storeBytes(of: rows.w, as: UInt32.self)
  }
}
