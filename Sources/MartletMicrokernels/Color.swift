//===--- Color.swift - arguments of color conversion ----------------------===//
//
// Pixels of a row whose components lie apart, as image files have them.
//
// Checked   Tests/MartletKernelsTests/Uint8YCbCrTests.swift
//===----------------------------------------------------------------------===//

/// Pixels of luma and two color differences, which become packed RGB.
@usableFromInline
package struct Uint8YCbCr {
  /// The components, each with so many samples that may be read that they fill up 16.
  @usableFromInline package let y, cb, cr: UnsafePointer<UInt8>
  /// The pixels.
  @usableFromInline package let count: Int
  @usableFromInline package let rgb: UnsafeMutablePointer<UInt8>

  @inlinable @inline(__always)
  package init(
    y: UnsafePointer<UInt8>, cb: UnsafePointer<UInt8>, cr: UnsafePointer<UInt8>, count: Int,
    rgb: UnsafeMutablePointer<UInt8>
  ) {
    self.y = y
    self.cb = cb
    self.cr = cr
    self.count = count
    self.rgb = rgb
  }
}
