//===--- SoftmaxOperator.swift - SOFTMAX ----------------------------------===//
//
// Inputs  0 x: float32, float16, uint8, int8 or int16; rows along the last axis.
// Output  0 y: as x; for 8-bit x also int16. Quantized 8-bit results have steps of 1/256 from the
//         lowest integer. int16 results have steps of 1/32768 from 0; from 8-bit x, with zero point
//         -32768, steps of 1/65536 from -32768.
// Source  LiteRT 2.3.0 `activations.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

extension Registration {
  package static let softmax = Registration(
    .softmax, versions: 1...4, traits: OperatorTraits(cost: OperatorCost(.slow))
  ) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    guard case .softmax(let options) = p.operation.options else { throw .options(node: p.node) }
    let shape = try p.shape(ofInput: 0, ranks: 1...Shape.maximumRank)
    let depth = shape[shape.rank - 1]
    switch (try p.input(0).type, try p.output(0).type) {
    case (.float32, _):
      let x = try p.input(0, as: Float.self)
      let y = try p.output(0, as: Float.self, shape: shape)
      if p.kernels == .fast {
        let softmax = Float32Softmax(depth: depth, beta: options.beta)
        return { e in softmax(e[x], into: e[y], workers: e.workers) }
      }
      return { e in Reference.softmax(e[x], depth: depth, beta: options.beta, into: e[y]) }
    case (.float16, _):
      let (x, y) = try p.elementwise(as: Half.self)
      let floats = try p.scratch(x.count, as: Float.self)
      return { e in
        Reference.map(e[x], into: e[floats]) { $0.float }
        Reference.softmax(e[floats], depth: depth, beta: options.beta, into: e[floats])
        Reference.map(e[floats], into: e[y]) { Half(rounding: $0) }
      }
    case (.uint8, .int16):
      return try prepareByte(&p, depth, beta: options.beta, from: UInt8.self, to: Int16.self)
    case (.uint8, _):
      return try prepareByte(&p, depth, beta: options.beta, from: UInt8.self, to: UInt8.self)
    case (.int8, .int16):
      return try prepareByte(&p, depth, beta: options.beta, from: Int8.self, to: Int16.self)
    case (.int8, _):
      return try prepareByte(&p, depth, beta: options.beta, from: Int8.self, to: Int8.self)
    case (.int16, _):
      let x = try p.input(0, as: Int16.self)
      let y = try p.output(0, as: Int16.self, shape: shape)
      try p.expectSymmetric(inputs: [0], outputs: [0])
      let softmax = ShortSoftmax(steps: try p.steps(beta: options.beta))
      return { e in Reference.softmax(e[x], depth: depth, softmax, into: e[y]) }
    case (let found, _):
      throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

extension Preparation {
  /// β times the input's scale, which must be positive.
  fileprivate func steps(beta: Float) throws(InferenceError) -> Double {
    let scale = try perTensorQuantization(input: 0).scale
    let steps = Double(beta) * Double(scale)
    guard steps > 0, steps.isFinite else {
      throw .option(node: node, name: "beta", value: Int(beta > 0 ? 1 : beta < 0 ? -1 : 0))
    }
    return steps
  }
}

private func prepareByte<
  Scalar: Element & FixedWidthInteger, Result: Element & FixedWidthInteger
>(
  _ p: inout Preparation, _ depth: Int, beta: Float, from: Scalar.Type, to: Result.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Scalar.self)
  let y = try p.output(0, as: Result.self, shape: x.shape)
  let softmax = ByteSoftmax(
    steps: try p.steps(beta: beta),
    fillsShorts: try p.output(0).quantization?.zeroPoint == Int(Int16.min))
  return { e in Reference.softmax(e[x], depth: depth, softmax, into: e[y]) }
}
