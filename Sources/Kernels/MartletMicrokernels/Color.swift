//===--- Color.swift - color conversion -----------------------------------===//
//
// Arguments of the conversions between rows of pixels and rows of separate components, as in image
// files.
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

/// A row of pixels to convert to luma and two color differences.
@usableFromInline
package struct Uint8ToYCbCr {
  /// Red, green and blue of each pixel, the first of `channels` samples: 3 or 4.
  @usableFromInline package let pixels: UnsafePointer<UInt8>
  @usableFromInline package let channels: Int
  /// The number of pixels.
  @usableFromInline package let count: Int
  /// The components, with room for `count` samples and three more.
  @usableFromInline package let y, cb, cr: UnsafeMutablePointer<UInt8>

  @inlinable @inline(__always)
  package init(
    pixels: UnsafePointer<UInt8>, channels: Int, count: Int, y: UnsafeMutablePointer<UInt8>,
    cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
  ) {
    self.pixels = pixels
    self.channels = channels
    self.count = count
    self.y = y
    self.cb = cb
    self.cr = cr
  }
}
