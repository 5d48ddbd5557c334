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
  private var columns: [Tap]
  private var rows: [Tap]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    samples = [SIMD4<Float>](repeating: .zero, count: width * height)
    columns = [Tap](repeating: Tap(first: 0, second: 0, weight: 0), count: width)
    rows = [Tap](repeating: Tap(first: 0, second: 0, weight: 0), count: height)
  }

  /// Fills the patch from `window`, in the frame's pixels.
  mutating func read(_ window: Box, of pyramid: FramePyramid) {
    let step = min(window.width / Float(width), window.height / Float(height))
    let index = pyramid.level(forStep: step)
    let level = pyramid.levels[index]
    let reduction = Float(1 << index)
    Patch.place(
      &columns, from: window.x / reduction, step: window.width / reduction / Float(width),
      limit: level.width)
    Patch.place(
      &rows, from: window.y / reduction, step: window.height / reduction / Float(height),
      limit: level.height)
    level.pixels.withUnsafeBufferPointer { pixels in
      columns.withUnsafeBufferPointer { columns in
        samples.withUnsafeMutableBufferPointer { samples in
          var index = 0
          for row in rows {
            let upper = row.first &* level.width
            let lower = row.second &* level.width
            for column in columns {
              let top = Patch.between(
                Patch.value(pixels[upper &+ column.first]),
                Patch.value(pixels[upper &+ column.second]), column.weight)
              let bottom = Patch.between(
                Patch.value(pixels[lower &+ column.first]),
                Patch.value(pixels[lower &+ column.second]), column.weight)
              samples[index] = Patch.between(top, bottom, row.weight)
              index &+= 1
            }
          }
        }
      }
    }
  }

  /// Two neighbouring pixels of an axis and the second's weight.
  private struct Tap {
    var first: Int
    var second: Int
    var weight: Float
  }

  private static func place(_ taps: inout [Tap], from start: Float, step: Float, limit: Int) {
    let last = Float(limit - 1)
    for index in taps.indices {
      let position = min(max(start + (Float(index) + 0.5) * step - 0.5, 0), last)
      let first = Int(position)
      taps[index] = Tap(
        first: first, second: min(first + 1, limit - 1), weight: position - Float(first))
    }
  }

  @inline(__always)
  private static func between(
    _ first: SIMD4<Float>, _ second: SIMD4<Float>, _ weight: Float
  ) -> SIMD4<Float> {
    first + (second - first) * weight
  }

  @inline(__always)
  private static func value(_ pixel: SIMD4<UInt8>) -> SIMD4<Float> {
    // 2²³ plus a number below it has the number in its last bits.
    let bits = SIMD4<UInt32>(truncatingIfNeeded: pixel) | 0x4B00_0000
    return unsafeBitCast(bits, to: SIMD4<Float>.self) - 8_388_608
  }
}
