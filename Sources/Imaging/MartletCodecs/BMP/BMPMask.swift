//===--- BMPMask.swift - color bits of a pixel ----------------------------===//
//
// Contract  A color of n bits is scaled to 0...255 as v * 255 / (2^n - 1), rounded down (as in
//           Pillow); a color without bits is 0.
//===----------------------------------------------------------------------===//

/// A mask of the bits of one color.
struct BMPMask {
  private let bits: UInt32
  private let shift: UInt32
  private let highest: UInt64
  /// The result for every value, if there are at most 256; otherwise empty.
  private let table: [UInt8]

  /// A mask that `isValid` accepts.
  init(_ mask: UInt32) {
    bits = mask
    shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
    let highest = UInt64(max(1, mask >> shift))
    self.highest = highest
    table = highest > 255 ? [] : (0...highest).map { UInt8($0 * 255 / highest) }
  }

  /// The color of a pixel, scaled to 0...255.
  @inline(__always)
  func value(of pixel: UInt32) -> UInt8 {
    let value = (pixel & bits) &>> shift
    if !table.isEmpty { return table[Int(value)] }
    return UInt8(truncatingIfNeeded: UInt64(value) * 255 / highest)
  }

  /// Whether the mask's bits are contiguous and within a pixel.
  static func isValid(_ mask: UInt32, bitDepth: Int) -> Bool {
    guard mask != 0 else { return true }
    let run = mask >> UInt32(mask.trailingZeroBitCount)
    return run & (run &+ 1) == 0 && (bitDepth >= 32 || mask >> UInt32(bitDepth) == 0)
  }
}
