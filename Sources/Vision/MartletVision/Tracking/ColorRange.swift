//===--- ColorRange.swift - color range of each pixel ---------------------===//
//
// The colors that an earlier frame shows at a pixel's former position if only the camera moved: the
// pixel's color or that of its eight neighbors, since the map may be off by a pixel, plus a margin
// of a few levels for noise.
//
// Contract  A vote is 1 if the earlier frame shows another color, -1 if it shows one in the range,
//           and 0 if the pixel was outside.
// Cost      About twenty operations per pixel and vote.
// Checked   Tests/MartletVisionTests/Tracking/ColorRangeTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels

/// The lowest and the highest levels that each pixel of a frame may have had.
struct ColorRange {
  let width: Int
  let height: Int
  // Red, green, blue and padding of each pixel, and three more pixels of padding.
  private var low: [UInt8]
  private var high: [UInt8]

  /// Computes the ranges around the colors of a frame, `margin` levels wider on both sides.
  init(_ frame: MotionFrame, margin: UInt8) {
    width = frame.width
    height = frame.height
    low = ColorRange.extremes(frame, { min($0, $1) }, { $0 &- min($0, margin) })
    high = ColorRange.extremes(frame, { max($0, $1) }, { $0 &+ min(255 &- $0, margin) })
  }

  /// The extremes of each pixel and its neighbors, shifted by a margin.
  @inline(__always)
  private static func extremes(
    _ frame: MotionFrame, _ extreme: (UInt8, UInt8) -> UInt8, _ moved: (UInt8) -> UInt8
  ) -> [UInt8] {
    let row = 4 * frame.width
    let count = row * frame.height
    var across = [UInt8](repeating: 0, count: count + 4 * 3)
    frame.pixels.withUnsafeBytes { pixels in
      guard let pixels = pixels.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
      let colors = pixels + 4 * MotionFrame.margin
      across.withUnsafeMutableBufferPointer { across in
        guard let across = across.baseAddress else { return }
        across.update(from: colors, count: count)
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
        for index in 0..<count { both[index] = moved(both[index]) }
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

  /// Adds an earlier frame's vote on each pixel of a row; `motion` maps pixels to the earlier
  /// frame.
  func vote(_ earlier: MotionFrame, row: Int, by motion: MotionModel, _ votes: inout [Int8]) {
    // Positions are relative to the frame's center; a pixel's position is its center.
    let start = motion(1.5 - Float(width - 1) / 2, Float(row) - Float(height - 1) / 2)
    earlier.pixels.withUnsafeBytes { pixels in
      low.withUnsafeBufferPointer { low in
        high.withUnsafeBufferPointer { high in
          votes.withUnsafeMutableBufferPointer { votes in
            guard let pixels = pixels.assumingMemoryBound(to: UInt8.self).baseAddress,
              let low = low.baseAddress, let high = high.baseAddress,
              let votes = votes.baseAddress
            else { return }
            Microkernels.current.uint8ColorVotes(
              Uint8ColorVotes(
                earlier: pixels + 4 * MotionFrame.margin, width: width, height: height,
                low: low + 4 * row * width, high: high + 4 * row * width,
                start: [start.x, start.y], step: [motion.across[1], motion.down[1]], votes: votes))
          }
        }
      }
    }
  }
}
