//===--- Patch.swift - a window of a frame on a grid of fixed size --------===//
//
// Contract  Values 0...255, rows from the top, three planes interleaved (red, green, blue); what
//           lies outside the frame repeats its edge. Sample (i, j) is the bilinear value at the
//           middle of the window's part (i, j).
// Cost      Four pixels a sample.
// Checked   Tests/MartletTrackingTests/PatchTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

/// A window of a frame, resampled.
struct Patch {
  let width: Int
  let height: Int
  /// `height` rows of `width` samples of red, green and blue, the fourth lane is zero.
  private(set) var samples: [SIMD4<Float>]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    samples = [SIMD4<Float>](repeating: .zero, count: width * height)
  }

  /// Fills the patch from `window`, in the frame's pixels.
  mutating func read(_ window: Box, of pyramid: FramePyramid) {
    let step = min(window.width / Float(width), window.height / Float(height))
    let level = pyramid.level(forStep: step)
    let image = pyramid.levels[level]
    let reduction = Float(1 << level)
    let columns = taps(
      from: window.x / reduction, step: window.width / reduction / Float(width), count: width,
      limit: image.width)
    let rows = taps(
      from: window.y / reduction, step: window.height / reduction / Float(height), count: height,
      limit: image.height)
    let rowBytes = image.width * 3
    image.withUnsafePixels { pixels in
      guard let base = pixels.baseAddress else { return }
      samples.withUnsafeMutableBufferPointer { samples in
        var index = 0
        for row in rows {
          let upper = base + row.first * rowBytes
          let lower = base + row.second * rowBytes
          for column in columns {
            let left = column.first &* 3
            let right = column.second &* 3
            let top =
              Patch.load(upper, left) * (1 - column.weight) + Patch.load(upper, right)
              * column.weight
            let bottom =
              Patch.load(lower, left) * (1 - column.weight) + Patch.load(lower, right)
              * column.weight
            samples[index] = top * (1 - row.weight) + bottom * row.weight
            index &+= 1
          }
        }
      }
    }
  }

  /// Two neighbouring pixels of an axis and the second's weight.
  private struct Tap {
    let first: Int
    let second: Int
    let weight: Float
  }

  private func taps(from start: Float, step: Float, count: Int, limit: Int) -> [Tap] {
    (0..<count).map { index in
      let last = Float(limit - 1)
      let position = min(max(start + (Float(index) + 0.5) * step - 0.5, 0), last)
      let first = Int(position)
      return Tap(first: first, second: min(first + 1, limit - 1), weight: position - Float(first))
    }
  }

  @inline(__always)
  private static func load(_ row: UnsafePointer<UInt8>, _ offset: Int) -> SIMD4<Float> {
    SIMD4(Float(row[offset]), Float(row[offset &+ 1]), Float(row[offset &+ 2]), 0)
  }
}
