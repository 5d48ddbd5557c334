//===--- NearestResize.swift - nearest neighbor resizing ------------------===//
//
// RESIZE_NEAREST_NEIGHBOR. The input rows and columns are computed in advance. An output row with
// the same input row as the previous one is copied from it.
//
// Contract  Elements of any type; `resize.depth` counts bytes.
// Cost      One pass over the output; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase

/// Resizes a batch of images without interpolation.
package struct NearestResize: Sendable {
  private static let grain = 1 << 16

  private let resize: Resize
  /// The input row of each output row, and the byte offset in a row of each output pixel's input
  /// pixel.
  private let rows: [Int]
  private let columns: [Int]

  package init(_ resize: Resize) {
    self.resize = resize
    rows = (0..<resize.rows.output).map { resize.rows.nearest(to: $0) }
    columns = (0..<resize.columns.output).map { resize.columns.nearest(to: $0) &* resize.depth }
  }

  package func callAsFunction(
    _ input: UnsafeRawPointer, into output: UnsafeMutableRawPointer, workers: Workers
  ) {
    let inputPitch = resize.columns.input &* resize.depth
    let pitch = columns.count &* resize.depth
    workers.split(
      resize.batches * rows.count, grain: NearestResize.grain / max(pitch, 1) + 1
    ) { part in
      for index in part {
        let row = index % rows.count
        let target = output + index &* pitch
        if row > 0, index > part.lowerBound, rows[row] == rows[row - 1] {
          target.copyMemory(from: target - pitch, byteCount: pitch)
        } else {
          let image = index / rows.count &* resize.rows.input
          copyRow(input + (image &+ rows[row]) &* inputPitch, to: target)
        }
      }
    }
  }

  private func copyRow(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    switch resize.depth {
    case 1: copyPixels(UInt8.self, source, to: target)
    case 4: copyPixels(UInt32.self, source, to: target)
    case 16: copyPixels(SIMD16<UInt8>.self, source, to: target)
    case let depth:
      for (column, offset) in columns.enumerated() {
        (target + column &* depth).copyMemory(from: source + offset, byteCount: depth)
      }
    }
  }

  /// Copies pixels that are as wide as a word through a register.
  @inline(__always)
  private func copyPixels<Word: BitwiseCopyable>(
    _: Word.Type, _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer
  ) {
    for (column, offset) in columns.enumerated() {
      let word = (source + offset).loadUnaligned(as: Word.self)
      target.storeBytes(of: word, toByteOffset: column &* MemoryLayout<Word>.size, as: Word.self)
    }
  }
}
