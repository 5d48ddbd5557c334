//===--- Patch.swift - resampled window of a frame ------------------------===//
//
// Contract  Values 0...255, rows from the top, three channels interleaved (red, green, blue).
//           Outside the frame the edge is repeated. Sample (i, j) is the bilinear value at the
//           center of the window's part (i, j), which is rotated with the window.
// Cost      Four pixels per sample.
//===----------------------------------------------------------------------===//

internal import MartletImage
import MartletKernels
import MartletMicrokernels

/// A window of a frame, resampled.
struct Patch {
  /// The number of samples that vectors may read after the last one.
  static let slack = 15

  let width: Int
  let height: Int
  /// `height` rows of `width` samples of red, green, blue and zero; then `slack` more.
  private(set) var samples: [SIMD4<Float>]
  /// For each column and each row, the byte offsets of the two pixels it lies between.
  private var columns: [ResizeTap<Float>]
  private var rows: [ResizeTap<Float>]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    samples = [SIMD4<Float>](repeating: .zero, count: width * height + Patch.slack)
    let none = ResizeTap<Float>(lower: 0, upper: 0, weight: 0)
    columns = [ResizeTap](repeating: none, count: (width + 3) / 4 * 4)
    rows = [ResizeTap](repeating: none, count: height)
  }

  /// Fills the patch from a rotated window, in the frame's pixels.
  mutating func read(_ window: OrientedBox, of pyramid: FramePyramid) {
    let (upright, rotation) = (window.upright, window.rotation)
    guard rotation != .none else { return read(upright, of: pyramid) }
    let (stepX, stepY) = (upright.width / Float(width), upright.height / Float(height))
    let index = pyramid.level(forStep: min(stepX, stepY))
    let level = pyramid.levels[index]
    let reduction = Float(1 << index)
    let across = rotation(stepX / reduction, 0)
    level.pixels.withUnsafeBytes { pixels in
      samples.withUnsafeMutableBytes { samples in
        guard let pixels = pixels.assumingMemoryBound(to: UInt8.self).baseAddress,
          let samples = samples.assumingMemoryBound(to: Float.self).baseAddress
        else { return }
        for row in 0..<height {
          let start = rotation(
            (0.5 - Float(width) / 2) * stepX, (Float(row) + 0.5 - Float(height) / 2) * stepY)
          Microkernels.current.uint8SlopePixels(
            Uint8SlopePixels(
              pixels: pixels, width: level.width, height: level.height,
              startX: (upright.center.x + start.x) / reduction - 0.5,
              startY: (upright.center.y + start.y) / reduction - 0.5,
              stepX: across.x, stepY: across.y, count: width, y: samples + 4 * row * width))
        }
      }
    }
  }

  /// Fills the patch from `window`, in the frame's pixels.
  mutating func read(_ window: Box, of pyramid: FramePyramid) {
    let step = min(window.width / Float(width), window.height / Float(height))
    let index = pyramid.level(forStep: step)
    let level = pyramid.levels[index]
    let reduction = Float(1 << index)
    Patch.place(
      &columns, from: window.x / reduction, step: window.width / reduction / Float(width),
      limit: level.width, stride: 4)
    Patch.place(
      &rows, from: window.y / reduction, step: window.height / reduction / Float(height),
      limit: level.height, stride: 4 * level.width)
    level.pixels.withUnsafeBytes { pixels in
      columns.withUnsafeBufferPointer { columns in
        samples.withUnsafeMutableBytes { samples in
          guard let pixels = pixels.assumingMemoryBound(to: UInt8.self).baseAddress,
            let columns = columns.baseAddress,
            let samples = samples.assumingMemoryBound(to: Float.self).baseAddress
          else { return }
          for (index, row) in rows.enumerated() {
            Microkernels.current.uint8BilinearPixels(
              Uint8BilinearPixels(
                above: pixels + row.lower, below: pixels + row.upper, down: row.weight,
                columns: columns, count: width, y: samples + 4 * index * width))
          }
        }
      }
    }
  }

  private static func place(
    _ taps: inout [ResizeTap<Float>], from start: Float, step: Float, limit: Int, stride: Int
  ) {
    let last = Float(limit - 1)
    for index in taps.indices {
      let position = min(max(start + (Float(index) + 0.5) * step - 0.5, 0), last)
      let first = Int(position)
      taps[index] = ResizeTap(
        lower: first * stride, upper: min(first + 1, limit - 1) * stride,
        weight: position - Float(first))
    }
  }
}
