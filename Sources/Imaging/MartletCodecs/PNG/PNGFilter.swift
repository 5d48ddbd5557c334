//===--- PNGFilter.swift - the five row filters ---------------------------===//
//
// A filtered byte is the difference from a prediction: the byte one pixel to the left (a), the byte
// above (b), their mean, or Paeth's: of a, b and the byte above left (c), the nearest to a + b - c.
// All bytes outside the image are 0.
//
// Contract  A pixel of less than a byte counts as a byte. Rows are restored from the inflated data,
//           which later matches refer to, into separate memory.
// Cost      One pass: 16 bytes per step if bytes do not depend on each other; otherwise one pixel
//           per step, in at most a dozen cycles.
// Source    PNG (third edition) section 9
//===----------------------------------------------------------------------===//

import MartletBase

/// The row filters of PNG.
enum PNGFilter: UInt8, CaseIterable {
  case none = 0
  case sub = 1
  case up = 2
  case average = 3
  case paeth = 4

  /// Restores a row, with `pixelBytes` bytes per pixel. `above` is the restored row above; zeros for
  /// the first row. All three have the same number of bytes.
  func restore(
    _ filtered: Span<UInt8>, above: Span<UInt8>, to row: inout MutableSpan<UInt8>, pixelBytes: Int
  ) {
    let count = row.count
    precondition(filtered.count == count && above.count == count)
    unsafe filtered.withUnsafeBufferPointer { filtered in
      unsafe above.withUnsafeBufferPointer { above in
        unsafe row.withUnsafeMutableBufferPointer { row in
          guard let filtered = filtered.baseAddress, let above = above.baseAddress,
            let row = row.baseAddress
          else { return }
          unsafe restore(filtered, above: above, to: row, count: count, pixelBytes: pixelBytes)
        }
      }
    }
  }

  /// The same for rows of `count` bytes, which do not overlap.
  private func restore(
    _ filtered: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>,
    to row: UnsafeMutablePointer<UInt8>, count: Int, pixelBytes: Int
  ) {
    switch self {
    case .none: unsafe row.update(from: filtered, count: count)
    case .up: for index in 0..<count { unsafe row[index] = filtered[index] &+ above[index] }
    case .sub:
      unsafe restoreAfterLeft(filtered, above, row, count, pixelBytes) { left, _, _ in left }
    case .average:
      unsafe restoreAfterLeft(filtered, above, row, count, pixelBytes) { left, up, _ in
        // The mean rounded down, without a ninth bit.
        (left & up) &+ ((left ^ up) & 0xFE) &>> 1
      }
    case .paeth:
      unsafe restoreAfterLeft(filtered, above, row, count, pixelBytes) { Self.paeth($0, $1, $2) }
    }
  }

  /// Restores a row in which each pixel depends on the one to its left.
  @inline(__always)
  private func restoreAfterLeft(
    _ filtered: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>,
    _ row: UnsafeMutablePointer<UInt8>, _ count: Int, _ pixelBytes: Int,
    _ predict: (Pixel, Pixel, Pixel) -> Pixel
  ) {
    // A pixel is read and written as four bytes, so the last bytes are handled one by one.
    var index = 0
    switch pixelBytes {
    case 1:
      unsafe restoreBytes(filtered, above, row, count)
      return
    case 3: index = unsafe restorePixels(3, filtered, above, row, count - 1, predict)
    case 4: index = unsafe restorePixels(4, filtered, above, row, count, predict)
    default: break
    }
    while index < count {
      let before = index - pixelBytes
      let prediction = unsafe prediction(
        before < 0 ? 0 : row[before], above[index], before < 0 ? 0 : above[before])
      unsafe row[index] = filtered[index] &+ prediction
      index &+= 1
    }
  }

  /// Restores a row with one byte per pixel.
  @inline(__always)
  private func restoreBytes(
    _ filtered: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>,
    _ row: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    var (left, corner): (UInt8, UInt8) = (0, 0)
    for index in 0..<count {
      let up = unsafe above[index]
      left = unsafe filtered[index] &+ prediction(left, up, corner)
      unsafe row[index] = left
      corner = up
    }
  }

  private typealias Pixel = SIMD4<UInt8>

  /// Restores pixels of three or four bytes while `pixelBytes` are within `count`; returns the
  /// number of bytes restored. A row of pixels of three bytes must have a byte after `count`.
  @inline(__always)
  private func restorePixels(
    _ pixelBytes: Int, _ filtered: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>,
    _ row: UnsafeMutablePointer<UInt8>, _ count: Int,
    _ predict: (Pixel, Pixel, Pixel) -> Pixel
  ) -> Int {
    var (left, corner) = (Pixel(), Pixel())
    var index = 0
    while index &+ pixelBytes <= count {
      let up = unsafe UnsafeRawPointer(above + index).loadUnaligned(as: Pixel.self)
      let difference = unsafe UnsafeRawPointer(filtered + index).loadUnaligned(as: Pixel.self)
      left = difference &+ predict(left, up, corner)
      unsafe UnsafeMutableRawPointer(row + index).storeBytes(of: left, as: Pixel.self)
      corner = up
      index &+= pixelBytes
    }
    return index
  }

  /// Paeth's prediction for all bytes of a pixel.
  @inline(__always)
  private static func paeth(_ left: Pixel, _ up: Pixel, _ corner: Pixel) -> Pixel {
    typealias Lanes = SIMD4<Int16>
    @inline(__always) func magnitude(_ x: Lanes) -> Lanes {
      x.replacing(with: 0 &- x, where: x .< 0)
    }
    let (a, b) = (Lanes(truncatingIfNeeded: left), Lanes(truncatingIfNeeded: up))
    let c = Lanes(truncatingIfNeeded: corner)
    let (p, q) = (b &- c, a &- c)
    let (toLeft, toUp, toCorner) = (magnitude(p), magnitude(q), magnitude(p &+ q))
    let upOrCorner = c.replacing(with: b, where: toUp .<= toCorner)
    let isLeft = (toLeft .<= toUp) .& (toLeft .<= toCorner)
    return Pixel(truncatingIfNeeded: upOrCorner.replacing(with: a, where: isLeft))
  }

  /// Filters a row; returns the sum of the magnitudes of the results as signed numbers. All rows have
  /// the same number of bytes.
  func apply(
    to row: [UInt8], above: [UInt8], pixelBytes: Int, into output: inout [UInt8]
  ) -> Int {
    let count = row.count
    precondition(above.count == count && output.count == count)
    let (row, above) = (row.span, above.span)
    for index in 0..<min(pixelBytes, count) {
      output[index] = row[index] &- prediction(0, above[index], 0)
    }
    apply(to: row, above, pixelBytes: min(pixelBytes, count), into: &output)
    // Blocks of 256 bytes, whose sums fit 16 bits.
    let bytes = output.span
    return stride(from: 0, to: count, by: 256).reduce(0) { sum, start in
      var block: UInt16 = 0
      for index in start..<min(start + 256, count) {
        block &+= UInt16(Int8(bitPattern: bytes[index]).magnitude)
      }
      return sum + Int(block)
    }
  }

  /// Filters a row after its first pixel; all rows have the same number of bytes.
  private func apply(
    to row: Span<UInt8>, _ above: Span<UInt8>, pixelBytes: Int, into output: inout [UInt8]
  ) {
    // Spans of the same count spare the loop the checks of its bounds.
    let count = row.count - pixelBytes
    let (before, beforeAbove) = (row.extracting(first: count), above.extracting(first: count))
    let (here, hereAbove) = (row.extracting(last: count), above.extracting(last: count))
    // One loop per filter, so that each is vectorized.
    @inline(__always) func each(_ predict: (UInt8, UInt8, UInt8) -> UInt8) {
      unsafe output.withUnsafeMutableBufferPointer { result in
        for index in 0..<count {
          let prediction = predict(before[index], hereAbove[index], beforeAbove[index])
          // The output has as many bytes as the row.
          unsafe result[pixelBytes &+ index] = here[index] &- prediction
        }
      }
    }
    switch self {
    case .none: each { _, _, _ in 0 }
    case .sub: each { left, _, _ in left }
    case .up: each { _, up, _ in up }
    case .average: each { left, up, _ in (left & up) &+ ((left ^ up) &>> 1) }
    case .paeth: each { Self.paeth($0, $1, $2) }
    }
  }

  /// The prediction for a byte from those to its left, above and above left.
  @inline(__always)
  private func prediction(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    switch self {
    case .none: 0
    case .sub: left
    case .up: above
    case .average: UInt8(truncatingIfNeeded: (Int16(left) + Int16(above)) / 2)
    case .paeth: Self.paeth(left, above, corner)
    }
  }

  /// Of left, above and above left, the nearest to left + above - above left; ties in this order.
  @inline(__always)
  static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let (p, q) = (Int32(above) &- Int32(corner), Int32(left) &- Int32(corner))
    let (toLeft, toAbove, toCorner) = (abs(p), abs(q), abs(p &+ q))
    let aboveOrCorner = toAbove <= toCorner ? above : corner
    return toLeft <= min(toAbove, toCorner) ? left : aboveOrCorner
  }
}
