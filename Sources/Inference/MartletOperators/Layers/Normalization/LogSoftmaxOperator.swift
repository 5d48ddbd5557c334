//===--- LogSoftmaxOperator.swift - LOG_SOFTMAX ---------------------------===//
//
// Inputs  0 x: float32, uint8 or int8; rows along the last axis.
// Output  0 y: as x; quantized results have steps of 1/16 below the highest integer, which means 0.
// Source  LiteRT 2.3.0 `activations.cc`, `reference/log_softmax.h`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

extension Registration {
  static let logSoftmax = Registration(
    .logSoftmax, versions: 1...2,
    traits: OperatorTraits(
      cost: OperatorCost(
        .slow, products: { _, _, outputs in saturatingProduct(outputs[0].elementCount, 4) }))
  ) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let shape = try p.shape(ofInput: 0, ranks: 1...Shape.maximumRank)
    let depth = shape[shape.rank - 1]
    switch try p.input(0).type {
    case .float32:
      let (x, y) = try p.elementwise(as: Float.self)
      if p.kernels == .fast, depth > 0 {
        let kernel = Float32LogSoftmax(depth: depth)
        let largest = try p.scratch(x.count / depth, as: Float.self)
        let sums = try p.scratch(x.count / depth, as: Float.self)
        return { e in
          kernel(e[x], largest: e[largest], sums: e[sums], into: e[y], workers: e.workers)
        }
      }
      return { e in Reference.logSoftmax(e[x], depth: depth, into: e[y]) }
    case .uint8: return try prepareByte(&p, depth, as: UInt8.self)
    case .int8: return try prepareByte(&p, depth, as: Int8.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

private func prepareByte<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ depth: Int, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (x, y) = try p.elementwise(as: Scalar.self)
  let scale = try p.perTensorQuantization(input: 0).scale
  let result = try p.perTensorQuantization(output: 0)
  guard result.scale == 0x1p-4 else { throw .quantization(node: p.node, operand: .output(0)) }
  let highest = Int(Scalar.max)
  guard result.zeroPoint == highest else {
    throw .zeroPoint(
      node: p.node, operand: .output(0), found: result.zeroPoint, expected: highest...highest)
  }
  let logSoftmax = ByteLogSoftmax(scale: Double(scale))
  return { e in Reference.logSoftmax(e[x], depth: depth, logSoftmax, into: e[y]) }
}
