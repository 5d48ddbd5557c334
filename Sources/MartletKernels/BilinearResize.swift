//===--- BilinearResize.swift - images of another size --------------------===//
//
// RESIZE_BILINEAR on floats and bytes: rows and columns look where they were found to beforehand.
//
// Contract  Bit for bit `Reference.resizeBilinear`.
// Cost      Four products and three sums for each output element; no allocation.
// Checked   Tests/MartletKernelsTests/BilinearResizeTests.swift
//===----------------------------------------------------------------------===//

import MartletReference

import MartletRuntime

/// A batch of images resized, with weights as floats or as integers.
package struct BilinearResize<Weight: Sendable>: Sendable {
  /// Chunks of fewer elements than this are not worth a wake-up.
  private var grain: Int { 1 << 14 }

  private let resize: Resize
  private let rows: [ResizePlace<Weight>]
  private let columns: [ResizePlace<Weight>]
  private let loops: ElementwiseLoops

  fileprivate init(
    _ resize: Resize, rows: [ResizePlace<Weight>], columns: [ResizePlace<Weight>],
    loops: ElementwiseLoops
  ) {
    self.resize = resize
    self.rows = rows
    self.columns = columns
    self.loops = loops
  }

  /// Calls `body` for each output row, with the elements where its image and it begin.
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

extension BilinearResize<Float> {
  package init(floats resize: Resize, loops: ElementwiseLoops = .current) {
    self.init(
      resize, rows: resize.rows.places(pitch: resize.columns.input &* resize.depth),
      columns: resize.columns.places(pitch: resize.depth), loops: loops)
  }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress else { return }
    columns.withUnsafeBufferPointer { columns in
      guard let places = columns.baseAddress else { return }
      forEachRow(workers) { row, image, start in
        loops.float32Resize(
          x + (image &+ rows[row].lower), x + (image &+ rows[row].upper), rows[row].weight, places,
          columns.count, resize.depth, y + start)
      }
    }
  }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>,
    workers: Workers
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress else { return }
    columns.withUnsafeBufferPointer { columns in
      guard let places = columns.baseAddress else { return }
      forEachRow(workers) { row, image, start in
        loops.uint8Resize(
          x + (image &+ rows[row].lower), x + (image &+ rows[row].upper), rows[row].weight, places,
          columns.count, resize.depth, y + start)
      }
    }
  }
}

extension BilinearResize<Int32> {
  /// The resizing of signed bytes, or `nil` where weights are beyond what 32 bits can add.
  package init?(fixed resize: Resize, loops: ElementwiseLoops = .current) {
    guard
      let rows = resize.rows.fixedPlaces(pitch: resize.columns.input &* resize.depth),
      let columns = resize.columns.fixedPlaces(pitch: resize.depth)
    else { return nil }
    self.init(resize, rows: rows, columns: columns, loops: loops)
  }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Int8>, into output: UnsafeMutableBufferPointer<Int8>,
    workers: Workers
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress else { return }
    columns.withUnsafeBufferPointer { columns in
      guard let places = columns.baseAddress else { return }
      forEachRow(workers) { row, image, start in
        loops.int8Resize(
          x + (image &+ rows[row].lower), x + (image &+ rows[row].upper), rows[row].weight, places,
          columns.count, resize.depth, y + start)
      }
    }
  }
}
