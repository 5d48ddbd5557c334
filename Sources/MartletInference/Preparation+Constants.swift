//===--- Preparation+Constants.swift - weights that may be packed ---------===//
//
// Fast kernels lay weights out anew, once, while a node is prepared: that takes weights that the
// file holds. Others run on the reference kernels.
//
// Checked   Tests/MartletKernelsTests, `martlet conformance`
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletTensor

extension Preparation {
  /// The weights (input 1) and the bias (input 2, none where it is absent) if fast kernels are asked
  /// for and the file holds both.
  package func constantWeights<Weight: Element, Bias: Element>(
    as: Weight.Type, bias: Bias.Type
  ) throws(InferenceError) -> (UnsafeBufferPointer<Weight>, bias: UnsafeBufferPointer<Bias>)? {
    guard kernels == .fast, let weights = try constant(1, as: Weight.self) else { return nil }
    guard hasInput(2) else { return (weights, UnsafeBufferPointer(start: nil, count: 0)) }
    guard let bias = try constant(2, as: Bias.self) else { return nil }
    return (weights, bias)
  }
}

extension UnsafeBufferPointer where Element: FixedWidthInteger {
  /// Byte weights less their zero point, whose sign is turned in `offset`.
  package func widened(offset: Int32) -> [Int16] {
    map { Int16(truncatingIfNeeded: Int32(truncatingIfNeeded: $0) &+ offset) }
  }
}
