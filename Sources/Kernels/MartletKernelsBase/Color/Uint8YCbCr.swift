//===--- Uint8YCbCr.swift - YCbCr to RGB ----------------------------------===//
//
// In fixed point, where Cb and Cr are reduced by 128:
//
//   R = Y + 1.402 Cr,  G = Y - 0.34414 Cb - 0.71414 Cr,  B = Y + 1.772 Cb
//
// Contract  Exact: factors are multiples of 2⁻¹⁶, each sum of products is rounded to nearest, and
//           samples are clamped to 0...255.
// Cost      Three products of pairs per vector of pixels.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

#if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Level {
  package static func uint8YCbCr(_ row: Uint8YCbCr) {
    let lanes = Sums.scalarCount
    var x = 0
    while x < row.count {
      // The last vector may overlap the previous one. Storing a group also writes bytes
      // of the next two pixels.
      let isLast = x &+ lanes &+ 2 > row.count
      x = max(min(x, row.count &- lanes), 0)
      let pixels = pixels(row, at: x)
      let target = UnsafeMutableRawPointer(row.rgb + 3 &* x)
      if isLast {
        for lane in 0..<min(lanes, row.count) {
          let pixel = pixels[lane]
          target.storeBytes(
            of: UInt16(truncatingIfNeeded: pixel), toByteOffset: 3 &* lane, as: UInt16.self)
          target.storeBytes(
            of: UInt8(truncatingIfNeeded: pixel &>> 16), toByteOffset: 3 &* lane &+ 2,
            as: UInt8.self)
        }
      } else {
        storePacked(pixels, to: target)
      }
      x &+= lanes
    }
  }

  /// A vector of pixels in the low three bytes of each lane, red lowest.
  @inline(__always)
  private static func pixels(_ row: Uint8YCbCr, at x: Int) -> Sums {
    let y = UnsignedBytes.load(row.y + x)
    let (cb, cr) = (UnsignedBytes.load(row.cb + x), UnsignedBytes.load(row.cr + x))
    let pairs = cb | (cr &<< Sums(repeating: 16))
    // The fractions of the factors fit in 16 bits; the whole numbers are added after the shift.
    let red = product(pairs, 0, 26345, offset: -1) &+ cr &+ y
    let green = product(pairs, -22554, 18734, offset: 1) &- cr &+ y
    let blue = product(pairs, -14942, 0, offset: -2) &+ cb &+ cb &+ y
    let (low, high) = (Sums.zero, Sums(repeating: 255))
    return clamp(red, low, high) | (clamp(green, low, high) &<< Sums(repeating: 8))
      | (clamp(blue, low, high) &<< Sums(repeating: 16))
  }

  /// (a (Cb - 128) + b (Cr - 128)) / 2¹⁶, rounded, plus 128 times `offset`.
  @inline(__always)
  private static func product(_ pairs: Sums, _ a: Int32, _ b: Int32, offset: Int32) -> Sums {
    let constant = 1 &<< 15 &- 128 &* (a &+ b) &+ (128 &* offset) &<< 16
    let factors = Sums(repeating: b &<< 16 | a & 0xFFFF)
    return addPairs(Sums(repeating: constant), pairs, factors) &>> Sums(repeating: 16)
  }

  /// Stores three bytes of each lane, followed by two or four undefined bytes.
  @inline(__always)
  private static func storePacked(_ pixels: Sums, to target: UnsafeMutableRawPointer) {
    #if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
      let order = SIMD4<Int32>(0x0402_0100, 0x0908_0605, 0x0E0D_0C0A, -1)
      let orders = SIMD8<Int32>(lowHalf: order, highHalf: order)
    #endif
    #if MARTLET_V4 && canImport(_Builtin_intrinsics)
      let packed = unsafeBitCast(
        _mm512_shuffle_epi8(
          unsafeBitCast(pixels, to: __m512i.self),
          unsafeBitCast(SIMD16(lowHalf: orders, highHalf: orders), to: __m512i.self)),
        to: Sums.self)
      let (low, high) = (packed.lowHalf, packed.highHalf)
      target.storeBytes(of: low.lowHalf, as: SIMD4<Int32>.self)
      target.storeBytes(of: low.highHalf, toByteOffset: 12, as: SIMD4<Int32>.self)
      target.storeBytes(of: high.lowHalf, toByteOffset: 24, as: SIMD4<Int32>.self)
      target.storeBytes(of: high.highHalf, toByteOffset: 36, as: SIMD4<Int32>.self)
    #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
      let packed = unsafeBitCast(
        _mm256_shuffle_epi8(
          unsafeBitCast(pixels, to: __m256i.self), unsafeBitCast(orders, to: __m256i.self)),
        to: Sums.self)
      target.storeBytes(of: packed.lowHalf, as: SIMD4<Int32>.self)
      target.storeBytes(of: packed.highHalf, toByteOffset: 12, as: SIMD4<Int32>.self)
    #else
      // Two pixels in the low six bytes of each half.
      let halves = unsafeBitCast(pixels, to: SIMD2<UInt64>.self)
      let packed =
        halves & SIMD2(repeating: 0xFF_FFFF)
        | (halves &>> SIMD2(repeating: 8)) & SIMD2(repeating: 0xFFFF_FF00_0000)
      target.storeBytes(of: packed[0], as: UInt64.self)
      target.storeBytes(of: packed[1], toByteOffset: 6, as: UInt64.self)
    #endif
  }
}
