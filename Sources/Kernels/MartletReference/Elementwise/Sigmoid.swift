//===--- Sigmoid.swift - LOGISTIC and TANH on floats ----------------------===//
//
// y[i] = 1 / (1 + exp(-x[i])) or tanh(x[i])
//
// Contract  Error bounds are those of VectorMath. `input` and `output` have the same number of
//           elements and may be the same memory.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  package static func logistic(
    _ input: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    for i in 0..<input.count { output[i] = VectorMath.logistic(input[i]) }
  }

  package static func tanh(
    _ input: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    for i in 0..<input.count { output[i] = VectorMath.tanh(input[i]) }
  }
}
