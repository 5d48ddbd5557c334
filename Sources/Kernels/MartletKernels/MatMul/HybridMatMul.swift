//===--- HybridMatMul.swift - hybrid matrix product -----------------------===//
//
// The rows were quantized at run time, each with its own scale.
//
// Contract  y[r, u] = sum · (scale of the row · factor of the column), as in the reference kernels.
// Cost      rows · units · depth, and a pass over the results; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase

/// A packed matrix of byte weights that multiplies quantized rows of floats.
package struct HybridMatMul: Sendable {
  package let rows: Int
  private let depth: Int
  private let factors: [Float]
  private let product: Int16MatMul

  /// Packs the weights: one row of `depth` weights per factor.
  package init(
    rows: Int, depth: Int, weights: [Int8], factors: [Float], workers: Int,
    kernels: Microkernels = .current
  ) {
    self.rows = rows
    self.depth = depth
    self.factors = factors
    product = weights.withUnsafeBufferPointer {
      Int16MatMul(
        rows: rows, depth: depth, units: factors.count, weights: ByteWeights($0, offset: 0),
        workers: workers, kernels: kernels)
    }
  }

  /// The distance between rows of values; the values between rows are 0.
  package var pitch: Int { (depth + 1) / 2 * 2 }

  /// The numbers of quantized values and of sums.
  package var valueCount: Int { rows * pitch }
  package var sumCount: Int { rows * product.sumLength }

  package func callAsFunction(
    _ values: UnsafeMutableBufferPointer<Int16>, scales: UnsafeMutableBufferPointer<Float>,
    sums: UnsafeMutableBufferPointer<Int32>, into y: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard let first = values.baseAddress, let results = sums.baseAddress else { return }
    product(first, into: results, workers: workers)
    for row in 0..<rows {
      for unit in factors.indices {
        y[row * factors.count + unit] =
          Float(sums[row * product.sumLength + unit]) * (scales[row] * factors[unit])
      }
    }
  }
}
