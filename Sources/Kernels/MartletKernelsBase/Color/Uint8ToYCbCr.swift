//===--- Uint8ToYCbCr.swift - RGB to YCbCr --------------------------------===//
//
// In fixed point, where Cb and Cr are increased by 128:
//
//   Y = 0.299 R + 0.587 G + 0.114 B,  Cb = (B - Y) / 1.772,  Cr = (R - Y) / 1.402
//
// Contract  Exact: factors are multiples of 2⁻¹⁶, each sum of products is rounded to nearest, and
//           samples are clamped to 255.
// Source    ITU-T T.871
// Cost      Four products of pairs per vector of pixels.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

#if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Level {
  package static func uint8ToYCbCr(_ row: Uint8ToYCbCr) {
    let lanes = Sums.scalarCount
    // Loading a vector reads up to four bytes after its pixels.
    let overrun = row.channels == 3 ? 2 : 0
    var x = 0
    while x &+ lanes &+ overrun <= row.count {
      let pixels = UnsafeRawPointer(row.pixels + row.channels &* x)
      let packed =
        row.channels == 3 ? loadPacked(pixels) : pixels.loadUnaligned(as: Sums.self)
      convert(packed, row, at: x)
      x &+= lanes
    }
    while x < row.count {
      var pixels = Sums.zero
      let count = min(lanes, row.count &- x)
      for lane in 0..<count {
        let pixel = row.pixels + row.channels &* (x &+ lane)
        pixels[lane] = Int32(pixel[0]) | Int32(pixel[1]) &<< 8 | Int32(pixel[2]) &<< 16
      }
      convert(pixels, row, at: x, count)
      x &+= lanes
    }
  }

  /// Stores the components of pixels, of which each lane holds one, red lowest.
  @inline(__always)
  private static func convert(
    _ pixels: Sums, _ row: Uint8ToYCbCr, at x: Int, _ count: Int = Sums.scalarCount
  ) {
    let (byte, eight, sixteen) = (
      Sums(repeating: 0xFF), Sums(repeating: 8), Sums(repeating: 16)
    )
    let green = (pixels &<< eight) & Sums(repeating: 0xFF_0000)
    let (red, blue) = (pixels & byte, (pixels &>> sixteen) & byte)
    let (redGreen, blueGreen) = (red | green, blue | green)
    let half = Sums(repeating: 1 &<< 15)
    let middle = Sums(repeating: 128 &<< 16 | 1 &<< 15)
    let fifteen = Sums(repeating: 15)
    // The factor of green has 17 bits, so it is split.
    let y = addPairs(
      addPairs(half, redGreen, factors(19_595, 22_086)), blueGreen, factors(7_471, 16_384))
    let cb = addPairs(middle &+ (blue &<< fifteen), redGreen, factors(-11_059, -21_709))
    let cr = addPairs(middle &+ (red &<< fifteen), blueGreen, factors(-5_329, -27_439))
    // Each part of 128 bits has four samples of Y, of Cb, and twice of Cr.
    let differences = saturatedShorts(cr &>> sixteen, cr &>> sixteen)
    let packed = unsafeBitCast(
      saturatedBytes(saturatedShorts(y &>> sixteen, cb &>> sixteen), differences), to: Sums.self)
    var part = 0
    while 4 &* part < count {
      let place = x &+ 4 &* part
      UnsafeMutableRawPointer(row.y + place).storeBytes(of: packed[4 &* part], as: Int32.self)
      UnsafeMutableRawPointer(row.cb + place).storeBytes(
        of: packed[4 &* part &+ 1], as: Int32.self)
      UnsafeMutableRawPointer(row.cr + place).storeBytes(
        of: packed[4 &* part &+ 2], as: Int32.self)
      part &+= 1
    }
  }

  @inline(__always)
  private static func factors(_ low: Int32, _ high: Int32) -> Sums {
    Sums(repeating: high &<< 16 | low & 0xFFFF)
  }

  /// Loads pixels of three bytes, one into each lane; the highest byte of a lane is undefined.
  @inline(__always)
  private static func loadPacked(_ pixels: UnsafeRawPointer) -> Sums {
    #if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
      let order = SIMD4<Int32>(0x0202_0100, 0x0505_0403, 0x0808_0706, 0x0B0B_0A09)
      let orders = SIMD8<Int32>(lowHalf: order, highHalf: order)
      let parts: Lanes = joined { (pixels + 12 &* $0).loadUnaligned(as: SIMD4<Float>.self) }
    #endif
    #if MARTLET_V4 && canImport(_Builtin_intrinsics)
      return unsafeBitCast(
        _mm512_shuffle_epi8(
          unsafeBitCast(parts, to: __m512i.self),
          unsafeBitCast(SIMD16(lowHalf: orders, highHalf: orders), to: __m512i.self)),
        to: Sums.self)
    #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
      return unsafeBitCast(
        _mm256_shuffle_epi8(
          unsafeBitCast(parts, to: __m256i.self), unsafeBitCast(orders, to: __m256i.self)),
        to: Sums.self)
    #else
      // Two pixels in the low six bytes of each half.
      let halves = SIMD2(
        pixels.loadUnaligned(as: UInt64.self),
        pixels.loadUnaligned(fromByteOffset: 6, as: UInt64.self))
      let packed =
        halves & SIMD2(repeating: 0xFF_FFFF)
        | (halves &<< SIMD2(repeating: 8)) & SIMD2(repeating: 0xFF_FFFF_0000_0000)
      return unsafeBitCast(packed, to: Sums.self)
    #endif
  }
}
