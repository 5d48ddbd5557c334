//===--- Convolution+FullyConnected.swift - fully connected layers --------===//
//
// Rows times a matrix is a 1x1 convolution of an image that is one pixel high and as wide as the
// number of rows.
//===----------------------------------------------------------------------===//

import MartletBase

extension Convolution {
  /// Creates the convolution that computes `layer`, or returns `nil` if it has more rows than an
  /// image may have pixels.
  package init?(_ layer: FullyConnected) {
    guard let one = WindowAxis(input: 1, filter: 1, stride: 1, isSame: false),
      let rows = WindowAxis(input: layer.rows, filter: 1, stride: 1, isSame: false)
    else { return nil }
    self.init(
      window: SlidingWindow(batches: 1, rows: one, columns: rows),
      inputDepth: layer.depth, filterDepth: layer.depth, outputDepth: layer.units)
  }
}
