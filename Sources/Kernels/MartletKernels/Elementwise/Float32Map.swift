//===--- Float32Map.swift - unary float functions -------------------------===//
//
// The RELU family, HARD_SWISH, LOGISTIC, TANH, EXP, SQRT, RSQRT, ELU and LEAKY_RELU on floats.
//
// Contract  Bit-exact with the reference kernels. The result may be the operand's memory.
// Cost      One pass; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase

/// An elementwise function of a float tensor.
package struct Float32Map: Sendable {
  private let function: FloatFunction
  private let kernels: Microkernels
  private let runs: ElementRuns

  package init(_ function: FloatFunction, kernels: Microkernels = .current) {
    self.function = function
    self.kernels = kernels
    runs = ElementRuns(size: (4, 4), lanes: 8)
  }

  package func callAsFunction(
    _ x: UnsafeMutableBufferPointer<Float>, into y: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard let source = x.baseAddress, let target = y.baseAddress else { return }
    runs.forEach(source, count: x.count, into: target, workers: workers) { x, count, y in
      kernels.float32Unary(
        x.assumingMemoryBound(to: Float.self), count, function,
        y.assumingMemoryBound(to: Float.self))
    }
  }
}
