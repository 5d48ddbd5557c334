//===--- Preparation+Pairs.swift - fast kernels of two operands -----------===//
//
// Fast kernels of operators on two inputs that are broadcast.
//
// Checked   Tests/MartletToolTests/ConformanceTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletReference

extension Preparation {
  /// Combines the floats of inputs 0 and 1 with the fast kernel; `nil` if the reference kernels are
  /// enabled.
  mutating func fastPairs(
    _ combination: FloatCombination, clampedTo range: ClosedRange<Float> = -.infinity ... .infinity
  ) throws(InferenceError) -> Evaluate? {
    guard kernels == .fast else { return nil }
    let (a, b, y, walk) = try broadcastOperands(Float.self)
    let pairs = Float32Arithmetic(combination, walk, clampedTo: range, workers: workerCount)
    return { e in pairs(e[a], e[b], into: e[y], workers: e.workers) }
  }
}

extension Evaluation {
  /// Combines two tensors of quantized integers.
  func combine<A, B, Y>(
    _ a: Operand<A>, _ b: Operand<B>, into y: Operand<Y>, by pairs: QuantizedArithmetic
  ) {
    guard let a = self[a].baseAddress, let b = self[b].baseAddress, let y = self[y].baseAddress
    else { return }
    pairs(a, b, into: y, workers: workers)
  }
}
