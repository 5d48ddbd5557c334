//===--- Relu.swift - RELU, RELU6, RELU_N1_TO_1 ---------------------------===//
//
// Inputs  0 x: float32 of any shape.
// Output  0 y: as x.
// Source  LiteRT 2.3.0 `activations.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

extension Registration {
  static let relu = Registration(.relu, versions: 1...3) { p throws(InferenceError) in
    try prepareClamp(&p, activation: .relu)
  }
  static let relu6 = Registration(.relu6, versions: 1...3) { p throws(InferenceError) in
    try prepareClamp(&p, activation: .relu6)
  }
  static let reluN1To1 = Registration(.reluN1To1, versions: 1...2) { p throws(InferenceError) in
    try prepareClamp(&p, activation: .reluN1To1)
  }
}

private func prepareClamp(
  _ p: inout Preparation, activation: Activation
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 1...1)
  let x = try p.input(0, as: Float.self)
  let y = try p.output(0, as: Float.self, shape: x.shape)
  let range = try p.floatRange(of: activation)
  return { e in Reference.clamp(e[x], to: range, into: e[y]) }
}
