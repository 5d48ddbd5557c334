//===--- JPEGPlanes.swift - samples of a row of blocks --------------------===//
//
// The components of eight rows of an image, and the coefficients of a group of their blocks.
//
// Contract  Beyond the image's edge, the last column and row are repeated.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletMicrokernels

/// The samples of a row of blocks. Pointers stay within its arenas, whose sizes are below.
struct JPEGPlanes {
  /// The blocks that are transformed at once.
  static let groupSize = 16

  /// The number of blocks of a row.
  let across: Int
  /// Eight rows of each component. Kernels write up to three samples after a row.
  private let samples: Arena
  private let stride: Int
  /// The coefficients of a group of blocks of three components.
  private let coefficients: Arena

  init(_ image: Raster, components: Int) {
    across = (image.width + 7) / 8
    stride = 8 * across + 8
    samples = Arena(byteCount: 8 * stride * components)
    coefficients = Arena(byteCount: 128 * JPEGPlanes.groupSize * 3)
  }

  private func row(_ row: Int, of component: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe (samples.base + (8 * component + row) * stride).assumingMemoryBound(to: UInt8.self)
  }

  /// The coefficients of a block of the group, in columns.
  func block(_ component: Int, _ block: Int) -> UnsafeMutablePointer<Int16> {
    unsafe (coefficients.base + 128 * (JPEGPlanes.groupSize * component + block))
      .assumingMemoryBound(to: Int16.self)
  }

  /// Converts eight rows of an image from `top` on.
  func fill(_ image: Raster, top: Int) {
    let (width, channels) = (image.width, image.channels)
    let components = channels < 3 ? 1 : 3
    // Rows are clamped to the image, so each read is inside the samples.
    unsafe image.samples.withUnsafeBufferPointer { pixels in
      guard let pixels = pixels.baseAddress else { return }
      for row in 0..<8 {
        let line = min(top + row, image.height - 1)
        let source = unsafe pixels + line * width * channels
        let first = unsafe self.row(row, of: 0)
        if channels < 3 {
          for x in 0..<width { unsafe first[x] = unsafe source[channels &* x] }
        } else {
          unsafe Microkernels.pixels.uint8ToYCbCr(
            Uint8ToYCbCr(
              pixels: source, channels: channels, count: width, y: first,
              cb: self.row(row, of: 1), cr: self.row(row, of: 2)))
        }
        for component in 0..<components {
          let samples = unsafe self.row(row, of: component)
          for x in width..<8 * across { unsafe samples[x] = samples[width - 1] }
        }
      }
    }
  }

  /// Transforms and quantizes `count` blocks of a component.
  func transform(
    _ component: Int, _ first: Int, _ count: Int, _ tables: JPEGEncoderComponent
  ) {
    unsafe tables.transform(
      row(0, of: component) + 8 * first, stride: stride, count: count, to: block(component, 0))
  }
}
