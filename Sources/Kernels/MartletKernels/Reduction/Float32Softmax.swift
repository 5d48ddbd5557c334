//===--- Float32Softmax.swift - softmax of floats -------------------------===//
//
// Rows along the last axis, in three passes: differences from the maximum, exponentials of all
// rows, division by each row's sum.
//
// Contract  Bit-exact with `Reference.softmax`: the sum runs in index order.
// Cost      Three passes; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase

/// The softmax of rows of `depth` elements.
package struct Float32Softmax: Sendable {
  /// The smallest number of elements of a chunk that justifies waking a worker.
  private static let grain = 1 << 13

  private let depth: Int
  private let beta: Float
  private let exponential: Float32Map

  package init(depth: Int, beta: Float, kernels: Microkernels = .current) {
    self.depth = depth
    self.beta = beta
    exponential = Float32Map(.exp, kernels: kernels)
  }

  /// `input` and `output` may be the same memory.
  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard depth > 0 else { return }
    workers.split(input.count / depth, grain: Float32Softmax.grain / depth + 1) { rows in
      let part = rows.lowerBound * depth..<rows.upperBound * depth
      let y = UnsafeMutableBufferPointer(rebasing: output[part])
      subtractLargest(UnsafeMutableBufferPointer(rebasing: input[part]), into: y)
      exponential(y, into: y, workers: .serial)
      divideBySum(y)
    }
  }

  private func subtractLargest(
    _ x: UnsafeMutableBufferPointer<Float>, into y: UnsafeMutableBufferPointer<Float>
  ) {
    for start in stride(from: 0, to: x.count, by: depth) {
      var largest = -Float.greatestFiniteMagnitude
      for i in start..<start + depth { largest = max(largest, x[i]) }
      for i in start..<start + depth { y[i] = (x[i] - largest) * beta }
    }
  }

  private func divideBySum(_ y: UnsafeMutableBufferPointer<Float>) {
    for start in stride(from: 0, to: y.count, by: depth) {
      var sum: Float = 0
      for i in start..<start + depth { sum += y[i] }
      for i in start..<start + depth { y[i] /= sum }
    }
  }
}
