//===--- Float32Reduction.swift - sums and extrema along the last axis ----===//
//
// Rows of floats, each to one.
//
// Contract  Bit for bit `Reference.reduce`: a row's elements are taken in order.
// Cost      One pass; no allocation.
// Checked   Tests/MartletKernelsTests/Float32ReductionTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletRuntime
import MartletTensor

/// The reduction of rows of `depth` floats.
package struct Float32Reduction: Sendable {
  /// Chunks of fewer elements than this are not worth a wake-up.
  private static let grain = 1 << 15
  /// Chunks begin at multiples of so many rows, which are taken together.
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
      kernels.float32Reduce(
        Float32Reduce(
          x: source + first * depth, rows: min(part.upperBound * unit, y.count) - first,
          depth: depth, reduction: reduction, y: target + first))
    }
  }
}
