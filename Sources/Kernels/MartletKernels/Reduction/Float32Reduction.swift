//===--- Float32Reduction.swift - float reductions ------------------------===//
//
// Reduces rows of floats along the last axis to sums, products or extrema.
//
// Contract  Bit-exact with `Reference.reduce`, `maximum` and `minimum`: elements of a row are
//           processed in order.
// Cost      One pass; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// The reduction of rows of `depth` floats.
package struct Float32Reduction: Sendable {
  /// The smallest number of elements of a chunk that justifies waking a worker.
  private static let grain = 1 << 15
  /// Chunks begin at multiples of this number of rows, which are processed together.
  private static let unit = 32

  private let reduction: FloatReduction
  private let depth: Int
  private let kernels: Microkernels

  package init(_ reduction: FloatReduction, depth: Int, kernels: Microkernels = .current) {
    self.reduction = reduction
    self.depth = depth
    self.kernels = kernels
  }

  package func callAsFunction(
    _ x: UnsafeMutableBufferPointer<Float>, into y: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard let source = x.baseAddress, let target = y.baseAddress else { return }
    let unit = Float32Reduction.unit
    workers.split(
      (y.count + unit - 1) / unit, grain: Float32Reduction.grain / unit / max(depth, 1) + 1
    ) { part in
      let first = part.lowerBound * unit
      let rows = first..<min(part.upperBound * unit, y.count)
      kernels.float32Reduce(
        Float32Reduce(
          x: source + first * depth, rows: rows.count, depth: depth, reduction: reduction,
          y: target + first))
      if reduction == .minimum || reduction == .maximum { markRowsOfNaN(rows, source, target) }
    }
  }

  /// Sets the extrema of rows in which all elements are NaN.
  private func markRowsOfNaN(
    _ rows: Range<Int>, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>
  ) {
    for row in rows where y[row] == reduction.initial {
      let elements = UnsafeBufferPointer(start: x + row * depth, count: depth)
      if elements.allSatisfy({ $0.isNaN }) { y[row] = .nan }
    }
  }
}
