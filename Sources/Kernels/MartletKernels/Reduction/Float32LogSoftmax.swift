//===--- Float32LogSoftmax.swift - log softmax of floats ------------------===//
//
// For each row along the last axis: the maximum, the exponentials of the differences from it, their
// sum, and each element minus the maximum and the logarithm of the sum.
//
// Contract  Bit-exact with `Reference.logSoftmax`: the sum runs in index order. The result must not
//           be the operand's memory.
// Cost      Five passes; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase

/// The logarithm of softmax of rows of `depth` elements.
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
  ///   - largest: Memory for one element per row.
  ///   - sums: Memory for one element per row.
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
