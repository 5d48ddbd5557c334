//===--- BilinearResize.swift - bilinear resizing -------------------------===//
//
// RESIZE_BILINEAR on floats and bytes. The taps of rows and columns are computed in advance.
//
// Contract  Bit-exact with `Reference.resizeBilinear`.
// Cost      Four products and three sums for each output element; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// Resizes a batch of images, with float or integer weights.
package struct BilinearResize<Weight: Sendable>: Sendable {
  /// The smallest number of elements of a chunk that justifies waking a worker.
  private var grain: Int { 1 << 14 }

  private let resize: Resize
  private let rows: [ResizeTap<Weight>]
  private let columns: [ResizeTap<Weight>]
  private let kernels: Microkernels

  fileprivate init(
    _ resize: Resize, rows: [ResizeTap<Weight>], columns: [ResizeTap<Weight>],
    kernels: Microkernels
  ) {
    self.resize = resize
    self.rows = rows
    self.columns = columns
    self.kernels = kernels
  }

  /// Calls `body` for each output row, with the element offsets of its input image and of the row.
  private func forEachRow(
    _ workers: Workers, _ body: (_ row: Int, _ image: Int, _ output: Int) -> Void
  ) {
    let pitch = columns.count * resize.depth
    workers.split(resize.batches * rows.count, grain: grain / max(pitch, 1) + 1) { part in
      for index in part {
        let image = index / rows.count
        body(
          index % rows.count,
          image &* resize.rows.input &* resize.columns.input &* resize.depth, index &* pitch)
      }
    }
  }
}

extension BilinearResize {
  /// Calls the microkernel for each output row.
  @inline(__always)
  private func resize<Element>(
    _ input: UnsafeMutableBufferPointer<Element>, into output: UnsafeMutableBufferPointer<Element>,
    _ workers: Workers, by kernel: (BilinearRow<Element, Weight>) -> Void
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress else { return }
    columns.withUnsafeBufferPointer { columns in
      guard let places = columns.baseAddress else { return }
      forEachRow(workers) { index, image, start in
        let row = rows[index]
        kernel(
          BilinearRow(
            above: x + image + row.lower, below: x + image + row.upper, down: row.weight,
            columns: places, count: columns.count, depth: resize.depth, y: y + start))
      }
    }
  }
}

extension BilinearResize<Float> {
  package init(floats resize: Resize, kernels: Microkernels = .current) {
    self.init(
      resize, rows: resize.rows.taps(pitch: resize.columns.input &* resize.depth),
      columns: resize.columns.taps(pitch: resize.depth), kernels: kernels)
  }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    resize(input, into: output, workers, by: kernels.float32Bilinear)
  }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>,
    workers: Workers
  ) {
    resize(input, into: output, workers, by: kernels.uint8Bilinear)
  }
}

extension BilinearResize<Int32> {
  /// Creates a resizing of signed bytes, or returns `nil` if sums of its weights exceed 32 bits.
  package init?(fixed resize: Resize, kernels: Microkernels = .current) {
    guard
      let rows = resize.rows.fixedTaps(pitch: resize.columns.input &* resize.depth),
      let columns = resize.columns.fixedTaps(pitch: resize.depth)
    else { return nil }
    self.init(resize, rows: rows, columns: columns, kernels: kernels)
  }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Int8>, into output: UnsafeMutableBufferPointer<Int8>,
    workers: Workers
  ) {
    resize(input, into: output, workers, by: kernels.int8Bilinear)
  }
}
