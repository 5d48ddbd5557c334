//===--- VP8LTransform.swift - inverse transforms of rows -----------------===//
//
// The transforms of an image are inverted in the opposite order, each on a row that stays in the
// first-level cache (RFC 9649, section 4).
//
// Contract  Palette indices beyond the palette are transparent black.
//===----------------------------------------------------------------------===//

/// A transform that the encoder applied.
struct VP8LTransform {
  enum Kind: Int {
    case predictor, color, subtractGreen, palette
  }

  let kind: Kind
  /// The width of the image before the transform was applied.
  let width: Int
  /// The binary logarithm of a tile's side or, for a palette, of the number of indices per pixel.
  var bits = 0
  /// One pixel for each tile, or the palette.
  var data: [UInt32] = []

  var tileColumns: Int { VP8LDecoder.tileCount(width, bits) }

  /// Sets the palette from the differences of its colors.
  mutating func setPalette(_ differences: [UInt32]) {
    data = [UInt32](repeating: 0, count: 1 << (8 >> bits))
    var color: UInt32 = 0
    for (index, difference) in differences.enumerated() {
      color = VP8LPredictor.sum(color, difference)
      data[index] = color
    }
  }

  /// The data of the tiles of row `y`.
  fileprivate func tiles(_ y: Int) -> ArraySlice<UInt32> {
    data[(y >> bits) * tileColumns..<(y >> bits + 1) * tileColumns]
  }
}

/// Inverts the transforms of an image's rows, in order.
struct VP8LRows {
  private let transforms: [VP8LTransform]
  private let width: Int
  /// The row, and the row above after its prediction was added, with one pixel after its end.
  private let line, above: UnmanagedMemory<UInt32>

  init(_ transforms: [VP8LTransform], width: Int) {
    self.transforms = transforms
    self.width = width
    line = UnmanagedMemory(zeros: width)
    above = UnmanagedMemory(zeros: width + 1)
  }

  /// Nothing may be used after this.
  @unsafe func deallocate() {
    unsafe line.deallocate()
    unsafe above.deallocate()
  }

  /// The pixels of row `y` from its `count` coded pixels; valid until the next call.
  func row(
    _ y: Int, _ coded: UnsafePointer<UInt32>, count: Int
  ) -> UnsafeMutablePointer<UInt32> {
    // No transform's width is more than that of the image, nor less than `count`.
    unsafe line.base.update(from: coded, count: count)
    for transform in transforms.reversed() {
      switch transform.kind {
      case .predictor: predict(y, transform)
      case .color: addColors(y, transform)
      case .subtractGreen: addGreen(transform.width)
      case .palette: lookUp(transform)
      }
    }
    return unsafe line.base
  }

  private func addGreen(_ width: Int) {
    for x in 0..<width {
      let pixel = unsafe line.base[x]
      let green = pixel &>> 8 & 0xFF
      let sum = (pixel & 0x00FF_00FF) &+ (green &<< 16 | green)
      unsafe line.base[x] = pixel & 0xFF00_FF00 | sum & 0x00FF_00FF
    }
  }

  private func addColors(_ y: Int, _ transform: VP8LTransform) {
    let size = 1 << transform.bits
    var start = 0
    for tile in transform.tiles(y) {
      let end = min(start + size, transform.width)
      addColors(start, end, tile)
      start = end
    }
  }

  /// Adds the parts of red and blue that were predicted from green and red.
  @inline(__always) private func addColors(_ start: Int, _ end: Int, _ tile: UInt32) {
    let greenToRed = Int32(Int8(truncatingIfNeeded: tile))
    let greenToBlue = Int32(Int8(truncatingIfNeeded: tile >> 8))
    let redToBlue = Int32(Int8(truncatingIfNeeded: tile >> 16))
    for x in start..<end {
      let pixel = unsafe line.base[x]
      let green = Int32(Int8(truncatingIfNeeded: pixel &>> 8))
      let red = Int32(truncatingIfNeeded: pixel &>> 16) &+ (greenToRed &* green) &>> 5
      let signedRed = Int32(Int8(truncatingIfNeeded: red))
      let blue =
        Int32(truncatingIfNeeded: pixel) &+ (greenToBlue &* green) &>> 5
        &+ (redToBlue &* signedRed) &>> 5
      unsafe line.base[x] =
        pixel & 0xFF00_FF00 | UInt32(truncatingIfNeeded: red & 0xFF) &<< 16
        | UInt32(truncatingIfNeeded: blue & 0xFF)
    }
  }

  /// Replaces indices by colors.
  private func lookUp(_ transform: VP8LTransform) {
    // The palette has a color for each index of `indexBits` bits.
    let indexBits = UInt32(8 >> transform.bits)
    let indexMask = UInt32(1) << indexBits - 1
    unsafe transform.data.withUnsafeBufferPointer { colors in
      if transform.bits == 0 {
        for x in 0..<transform.width {
          unsafe line.base[x] = colors[Int(line.base[x] &>> 8 & 0xFF)]
        }
        return
      }
      // From the last coded pixel to the first, because each has the indices of several pixels.
      let count = 1 << transform.bits
      for start in stride(
        from: (transform.width - 1) & -count, through: 0, by: -count)
      {
        var coded = unsafe line.base[start &>> transform.bits] &>> 8
        for x in start..<min(start &+ count, transform.width) {
          unsafe line.base[x] = colors[Int(coded & indexMask)]
          coded &>>= indexBits
        }
      }
    }
  }

  private func predict(_ y: Int, _ transform: VP8LTransform) {
    let predictor = unsafe VP8LPredictor(line: line.base, above: above.base)
    let width = transform.width
    if y == 0 {
      predictor.add(mode: 0, 0..<1)
      predictor.add(mode: 1, 1..<width)
    } else {
      predictor.add(mode: 2, 0..<1)
      // To the right above the last pixel is the first pixel of the row itself.
      above[width] = line[0]
      let size = 1 << transform.bits
      var start = 1
      for (index, tile) in transform.tiles(y).enumerated() {
        let end = min((index + 1) * size, width)
        if start < end { predictor.add(mode: Int(tile >> 8 & 15), start..<end) }
        start = end
      }
    }
    unsafe above.base.update(from: line.base, count: width)
  }
}
