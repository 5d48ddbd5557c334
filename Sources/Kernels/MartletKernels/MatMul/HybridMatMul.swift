//===--- HybridMatMul.swift - hybrid matrix product -----------------------===//
//
// Rows are quantized at run time, each with its own scale.
//
// Contract  y[r, u] = sum · (scale of the row · factor of the column), as in the reference kernels.
// Cost      rows · units · depth, and two passes over the rows; no allocation.
// Checked   Tests/MartletKernelsTests/Int16MatMulTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
import MartletLevels
import MartletReference

/// A packed matrix of byte weights that multiplies rows of floats.
package struct HybridMatMul: Sendable {
  package let rows: Int
  private let depth: Int
  private let factors: [Float]
  private let isAsymmetric: Bool
  private let product: Int16MatMul

  /// Packs the weights: one row of `depth` weights per factor.
  package init(
    rows: Int, depth: Int, weights: [Int8], factors: [Float], isAsymmetric: Bool, workers: Int,
    kernels: Microkernels = .current
  ) {
    self.rows = rows
    self.depth = depth
    self.factors = factors
    self.isAsymmetric = isAsymmetric
    product = weights.withUnsafeBufferPointer {
      Int16MatMul(
        rows: rows, depth: depth, units: factors.count, weights: ByteWeights($0, offset: 0),
        workers: workers, kernels: kernels)
    }
  }

  private var pitch: Int { (depth + 1) / 2 * 2 }

  /// The numbers of quantized values and of sums that a call needs memory for.
  package var valueCount: Int { rows * pitch }
  package var sumCount: Int { rows * product.sumLength }

  package func callAsFunction(
    _ x: UnsafeMutableBufferPointer<Float>, values: UnsafeMutableBufferPointer<Int16>,
    scales: UnsafeMutableBufferPointer<Float>, sums: UnsafeMutableBufferPointer<Int32>,
    into y: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    guard let first = values.baseAddress, let results = sums.baseAddress else { return }
    Reference.quantizeRows(
      x, run: depth, pitch: pitch, isAsymmetric: isAsymmetric, into: values, scales: scales)
    product(first, into: results, workers: workers)
    for row in 0..<rows {
      for unit in factors.indices {
        y[row * factors.count + unit] =
          Float(sums[row * product.sumLength + unit]) * (scales[row] * factors[unit])
      }
    }
  }
}
