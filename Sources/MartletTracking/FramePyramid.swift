//===--- FramePyramid.swift - a frame at halved sizes ---------------------===//
//
// Trackers look at windows of any size through a grid of fixed size. Reading a large window from
// a level of about the grid's detail needs four pixels a sample and blurs like a camera.
//
// Contract  Level 0 is the frame; each further level halves both extents (an odd last row or
//           column is dropped) by averages of four, halves rounded up, and the last level has an
//           extent below 2 · `smallest`.
// Cost      A third of the frame's pixels, once for all objects.
// Checked   Tests/MartletTrackingTests/FramePyramidTests.swift
//===----------------------------------------------------------------------===//

package import MartletImage

/// A frame and its halved copies.
package struct FramePyramid: Sendable {
  /// No level's shorter side is below this.
  static let smallest = 16

  let levels: [RGBImage]

  /// The frame itself.
  package var frame: RGBImage { levels[0] }

  package init(_ frame: RGBImage) {
    var levels = [frame]
    var last = frame
    while min(last.width, last.height) >= 2 * FramePyramid.smallest {
      last = last.halved()
      levels.append(last)
    }
    self.levels = levels
  }

  /// The level whose pixels are at most `step` wide, or half of it: reading it every `step` of the
  /// frame's pixels skips at most one pixel.
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

extension RGBImage {
  /// The image at half its size.
  fileprivate func halved() -> RGBImage {
    let half = ImageSize(width: width / 2, height: height / 2)
    let rowBytes = width * 3
    return withUnsafePixels { pixels in
      RGBImage(checkedSize: half) { output in
        guard let input = pixels.baseAddress else { return }
        for y in 0..<half.height {
          let upper = input + 2 * y * rowBytes
          let lower = upper + rowBytes
          let target = output + y * half.width * 3
          for x in 0..<half.width {
            for channel in 0..<3 {
              let left = 6 &* x &+ channel
              let sum =
                UInt16(upper[left]) &+ UInt16(upper[left &+ 3]) &+ UInt16(lower[left])
                &+ UInt16(lower[left &+ 3])
              target[3 &* x &+ channel] = UInt8(truncatingIfNeeded: (sum &+ 2) >> 2)
            }
          }
        }
      }
    }
  }
}
