//===--- Color.swift - color conversion -----------------------------------===//
//
// Arguments of the conversion of a row of pixels whose components are stored separately, as in
// image files.
//
// Checked   Tests/MartletKernelsTests/Uint8YCbCrTests.swift
//===----------------------------------------------------------------------===//

/// A row of luma and two color differences to convert to packed RGB.
@usableFromInline
package struct Uint8YCbCr {
  /// The components; memory must be readable up to a multiple of 16 samples.
  @usableFromInline package let y, cb, cr: UnsafePointer<UInt8>
  /// The number of pixels.
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
