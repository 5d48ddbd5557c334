//===--- FramePyramid.swift - image pyramid of a frame --------------------===//
//
// Trackers sample windows of any size on a grid of fixed size. Reading a large window from a level
// of about the grid's resolution needs four pixels per sample and blurs like a camera.
//
// Contract  Level 0 is the frame; each further level halves both extents (an odd last row or
//           column is dropped) by averages of four, halves rounded up, and the last level has an
//           extent below 2 · `smallest`.
// Cost      A copy of the frame and a third of its pixels, once for all objects.
//===----------------------------------------------------------------------===//

package import MartletImage

/// A frame and its halved copies.
package struct FramePyramid: Sendable {
  /// One size of the frame.
  struct Level: Sendable {
    let width: Int
    let height: Int
    /// Rows of red, green, blue and zero, so that a pixel is read at once.
    let pixels: [SIMD4<UInt8>]
  }

  /// The lower bound of every level's shorter side, if the frame is as large.
  static let smallest = 16

  let levels: [Level]

  /// The frame's own size.
  package var size: ImageSize { ImageSize(width: levels[0].width, height: levels[0].height) }

  package init(_ frame: RGBImage) {
    var last = Level(frame)
    var levels = [last]
    while min(last.width, last.height) >= 2 * FramePyramid.smallest {
      last = last.halved()
      levels.append(last)
    }
    self.levels = levels
  }

  /// Returns the index of the level whose pixels are at most `step` wide, or half of it: reading it
  /// every `step` pixels of the frame skips at most one pixel.
  func level(forStep step: Float) -> Int {
    var level = 0
    var width: Float = 2
    while level + 1 < levels.count, width <= step {
      level += 1
      width *= 2
    }
    return level
  }
}

extension FramePyramid.Level {
  fileprivate init(_ image: RGBImage) {
    let count = image.width * image.height
    width = image.width
    height = image.height
    pixels = image.withUnsafePixels { bytes in
      [SIMD4<UInt8>](unsafeUninitializedCapacity: count) { pixels, initialized in
        // A pixel is read with the next byte, except for the last one, which has none.
        guard let raw = UnsafeRawPointer(bytes.baseAddress) else { return }
        let mask = UInt32(littleEndian: 0xFF_FFFF)
        for index in 0..<(count - 1) {
          let pixel = raw.loadUnaligned(fromByteOffset: 3 &* index, as: UInt32.self) & mask
          pixels[index] = unsafeBitCast(pixel, to: SIMD4<UInt8>.self)
        }
        let last = 3 * (count - 1)
        pixels[count - 1] = SIMD4(bytes[last], bytes[last + 1], bytes[last + 2], 0)
        initialized = count
      }
    }
  }

  /// The level at half its size.
  fileprivate func halved() -> FramePyramid.Level {
    let (columns, rows) = (width / 2, height / 2)
    let halves = pixels.withUnsafeBufferPointer { pixels in
      [SIMD4<UInt8>](unsafeUninitializedCapacity: columns * rows) { halves, initialized in
        for y in 0..<rows {
          let upper = 2 &* y &* width
          let lower = upper &+ width
          for x in 0..<columns {
            let sum =
              wide(pixels[upper &+ 2 &* x]) &+ wide(pixels[upper &+ 2 &* x &+ 1])
              &+ wide(pixels[lower &+ 2 &* x]) &+ wide(pixels[lower &+ 2 &* x &+ 1])
            halves[y &* columns &+ x] = SIMD4(truncatingIfNeeded: (sum &+ 2) &>> 2)
          }
        }
        initialized = columns * rows
      }
    }
    return FramePyramid.Level(width: columns, height: rows, pixels: halves)
  }

  @inline(__always)
  private func wide(_ color: SIMD4<UInt8>) -> SIMD4<UInt16> { SIMD4(truncatingIfNeeded: color) }
}
