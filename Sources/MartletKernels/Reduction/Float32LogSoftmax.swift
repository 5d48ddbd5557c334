//===--- Float32LogSoftmax.swift - logarithm of softmax, floats -----------===//
//
// Rows along the last axis: the largest of each, exponentials of all differences from it at once,
// their sums, and what remains of each element without the largest and the sum's logarithm.
//
// Contract  Bit for bit `Reference.logSoftmax`: the sum runs in index order. The result is not the
//           operand's memory.
// Cost      Five passes; no allocation.
// Checked   Tests/MartletKernelsTests/Float32LogSoftmaxTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMath
import MartletRuntime
import MartletTensor

/// Logarithms of softmax over rows of `depth` elements.
package struct Float32LogSoftmax: Sendable {
  private let depth: Int
  private let exponential: Float32Map
  private let maximum: Float32Reduction
  private let sum: Float32Reduction

  /// - Precondition: `depth` is positive.
  package init(depth: Int, kernels: Microkernels = .current) {
    self.depth = depth
    exponential = Float32Map(.exp, kernels: kernels)
    maximum = Float32Reduction(.maximum, depth: depth, kernels: kernels)
    sum = Float32Reduction(.sum, depth: depth, kernels: kernels)
  }

  /// - Parameters:
  ///   - largest: Memory for one element for each row, and `sums` too.
  package func callAsFunction(
    _ x: UnsafeMutableBufferPointer<Float>, largest: UnsafeMutableBufferPointer<Float>,
    sums: UnsafeMutableBufferPointer<Float>, into y: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard let source = x.baseAddress, let target = y.baseAddress else { return }
    maximum(x, into: largest, workers: workers)
    for row in largest.indices {
      let (x, y, largest) = (source + row &* depth, target + row &* depth, largest[row])
      for i in 0..<depth { y[i] = x[i] - largest }
    }
    exponential(y, into: y, workers: workers)
    sum(y, into: sums, workers: workers)
    for row in largest.indices {
      let (x, y, largest) = (source + row &* depth, target + row &* depth, largest[row])
      let logarithm = VectorMath.log(sums[row])
      for i in 0..<depth { y[i] = x[i] - largest - logarithm }
    }
  }
}
