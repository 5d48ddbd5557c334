//===--- ColorRange.swift - the colours that pixels may have had ----------===//
//
// What an earlier frame shows at a pixel's former place, if nothing but the camera moved: the pixel's
// colour, or one of its eight neighbours' where the map is off by a pixel, and a few levels more for
// noise.
//
// Contract  A vote is 1 where the earlier frame shows another colour, -1 where it shows one of these,
//           and none where the pixel was outside. The map is taken for a shift within four pixels of
//           a row; between pixels colours are bilinear in steps of a sixteenth.
// Cost      Some twenty operations a pixel and vote.
// Checked   Tests/MartletTrackingTests/ColorRangeTests.swift
//===----------------------------------------------------------------------===//

/// The least and the highest levels that each pixel of a frame may have had.
struct ColorRange {
  /// Pixels judged at once.
  private static let four = 4

  let width: Int
  let height: Int
  // Red, green, blue and nothing of each pixel, and three pixels of nothing behind them.
  private var low: [UInt8]
  private var high: [UInt8]

  /// The ranges around the colours of a frame, `margin` levels more on both sides.
  init(_ frame: MotionFrame, margin: UInt8) {
    width = frame.width
    height = frame.height
    low = ColorRange.extremes(frame) { min($0, $1) }
    high = ColorRange.extremes(frame) { max($0, $1) }
    for index in low.indices {
      low[index] -= min(low[index], margin)
      high[index] += min(255 - high[index], margin)
    }
  }

  /// The extremes of each pixel and its neighbours.
  @inline(__always)
  private static func extremes(
    _ frame: MotionFrame, _ extreme: (UInt8, UInt8) -> UInt8
  ) -> [UInt8] {
    let row = 4 * frame.width
    let count = row * frame.height
    var across = [UInt8](repeating: 0, count: count + 4 * (four - 1))
    frame.pixels.withUnsafeBytes { pixels in
      guard let pixels = pixels.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
      let colors = pixels + 4 * MotionFrame.margin
      across.withUnsafeMutableBufferPointer { across in
        guard let across = across.baseAddress else { return }
        for index in 0..<count { across[index] = colors[index] }
        for start in stride(from: 0, to: count, by: row) {
          widen(across + start, by: colors + start + 4, row - 4, extreme)
          widen(across + start + 4, by: colors + start, row - 4, extreme)
        }
      }
    }
    var both = across
    across.withUnsafeBufferPointer { across in
      both.withUnsafeMutableBufferPointer { both in
        guard let across = across.baseAddress, let both = both.baseAddress else { return }
        widen(both, by: across + row, count - row, extreme)
        widen(both + row, by: across, count - row, extreme)
      }
    }
    return both
  }

  @inline(__always)
  private static func widen(
    _ values: UnsafeMutablePointer<UInt8>, by others: UnsafePointer<UInt8>, _ count: Int,
    _ extreme: (UInt8, UInt8) -> UInt8
  ) {
    for index in 0..<count { values[index] = extreme(values[index], others[index]) }
  }

  /// Adds an earlier frame's vote on each pixel of a row, which was where `motion` says.
  func vote(_ earlier: MotionFrame, row: Int, by motion: MotionModel, _ votes: inout [Int8]) {
    let width = width
    let height = height
    // Places count from the middle of the frame, and a pixel's is its middle.
    let (middleX, middleY) = (Float(width - 1) / 2, Float(height - 1) / 2)
    let start = motion(1.5 - middleX, Float(row) - middleY)
    earlier.pixels.withUnsafeBytes { pixels in
      low.withUnsafeBytes { low in
        high.withUnsafeBytes { high in
          votes.withUnsafeMutableBufferPointer { votes in
            for x in stride(from: 0, to: width, by: ColorRange.four) {
              let column = start.x + motion.across[1] * Float(x) + middleX - 1.5
              let line = start.y + motion.down[1] * Float(x) + middleY
              guard column > -4, line >= 0, column < Float(width - 1), line < Float(height - 1)
              else { continue }
              let place = ColorRange.Place(column, line)
              let index = row &* width &+ x
              let isOut = ColorRange.isOut(
                pixels, place, width, ColorRange.wide(low, index), ColorRange.wide(high, index))
              let first = max(0, -place.left)
              let end = min(4, width &- x, width &- 1 &- place.left)
              for lane in 0..<4 where lane >= first && lane < end {
                votes[x &+ lane] &+= isOut[lane] == 0 ? -1 : 1
              }
            }
          }
        }
      }
    }
  }

  /// A place between four pixels.
  private struct Place {
    let left: Int
    let top: Int
    /// Sixteenths behind them.
    let right: UInt16
    let lower: UInt16

    @inline(__always)
    init(_ column: Float, _ line: Float) {
      // Rounds towards zero, so that what is shifted above it first is rounded down.
      left = Int(column + 4) &- 4
      top = Int(line)
      right = UInt16(truncatingIfNeeded: Int((column - Float(left)) * 16))
      lower = UInt16(truncatingIfNeeded: Int((line - Float(top)) * 16))
    }
  }

  /// Four pixels with room to calculate.
  @inline(__always)
  private static func wide(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> SIMD16<UInt16> {
    SIMD16(
      truncatingIfNeeded: bytes.loadUnaligned(
        fromByteOffset: 4 &* index, as: SIMD16<UInt8>.self))
  }

  /// Not 0 for each of the four pixels from a place on that is out of its range.
  @inline(__always)
  private static func isOut(
    _ pixels: UnsafeRawBufferPointer, _ place: Place, _ width: Int, _ low: SIMD16<UInt16>,
    _ high: SIMD16<UInt16>
  ) -> SIMD4<UInt64> {
    let index = place.top &* width &+ place.left &+ MotionFrame.margin
    let (right, lower) = (place.right, place.lower)
    let upperRow =
      wide(pixels, index) &* ((16 &- right) &* (16 &- lower))
      &+ wide(pixels, index &+ 1) &* (right &* (16 &- lower))
    let lowerRow =
      wide(pixels, index &+ width) &* ((16 &- right) &* lower)
      &+ wide(pixels, index &+ width &+ 1) &* (right &* lower)
    let color = (upperRow &+ lowerRow &+ 128) &>> 8
    // A difference below zero has its highest bit set.
    let signs = (color &- low) | (high &- color)
    return unsafeBitCast(signs, to: SIMD4<UInt64>.self) & 0x8000_8000_8000_8000
  }
}
