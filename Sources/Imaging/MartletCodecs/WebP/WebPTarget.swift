//===--- WebPTarget.swift - rows of pixels --------------------------------===//
//
// Contract  Writes whole rows of the image, from the top. The memory must be valid, and hold `height`
//           rows of `width` pixels that are `rowBytes` bytes apart; of a reduced image, one row.
// Cost      A few operations for two pixels.
//===----------------------------------------------------------------------===//

/// Where an image is written to.
@safe struct WebPTarget {
  let pixels: UnsafeMutablePointer<UInt8>
  let rowBytes: Int
  let width, height: Int
  /// The number of bytes of a pixel: 3, or 4 with alpha.
  let channels: Int
  /// Averages the rows of a reduced image.
  let reducer: RowReducer?

  /// Writes row `y`. Each of the `width` numbers of `line` has red in its lowest byte, then green,
  /// blue and alpha.
  func store(_ line: UnsafePointer<UInt32>, _ y: Int) {
    let row = unsafe UnsafeMutableRawPointer(pixels + (reducer == nil ? y * rowBytes : 0))
    defer { unsafe reducer?.add(Span(_unsafeStart: pixels, count: width * channels)) }
    if channels == 4 {
      unsafe row.copyMemory(from: line, byteCount: 4 * width)
      return
    }
    var x = 0
    // Two pixels are stored as eight bytes, of which the next pixel overwrites the last two.
    while x < width - 2 {
      let pair = unsafe UnsafeRawPointer(line + x).loadUnaligned(as: UInt64.self)
      let packed = pair & 0xFF_FFFF | (pair &>> 8) & 0xFFFF_FF00_0000
      unsafe row.storeBytes(of: packed, toByteOffset: 3 &* x, as: UInt64.self)
      x &+= 2
    }
    while x < width {
      for channel in 0..<3 {
        unsafe row.storeBytes(
          of: UInt8(truncatingIfNeeded: line[x] >> UInt32(8 * channel)),
          toByteOffset: 3 * x + channel, as: UInt8.self)
      }
      x += 1
    }
  }
}
