//===--- LeakyReluOperator.swift - PRELU, LEAKY_RELU ----------------------===//
//
// PRELU       Inputs  0 x: float32, uint8, int8 or int16 of any shape
//                     1 α: of x's type, broadcast to x's shape
// LEAKY_RELU  Inputs  0 x: float32, uint8, int8 or int16 of any shape; α is an option
// Output      0 y: as x.
// Source      LiteRT 2.3.0 `activations.cc`. (LiteRT reads a 16-bit α as bytes, by mistake; here it
//             is read correctly.)
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let prelu = Registration(
    .prelu, versions: 1...1, traits: OperatorTraits(cost: .pairs(.slow))
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    let walk = try p.broadcast(0, 1)
    let shape = try p.input(0).shape
    guard walk.shape == shape else {
      throw .elementCount(
        node: p.node, operand: .input(1), found: walk.shape.elementCount,
        expected: shape.elementCount)
    }
    switch try p.input(0).type {
    case .float32:
      p.mayOverwrite(inputs: 0)
      if let fast = try p.fastPairs(.leakyRelu) { return fast }
      let (x, y) = try p.elementwise(as: Float.self)
      let alpha = try p.input(1, as: Float.self)
      return { e in Reference.prelu(e[x], alpha: e[alpha], walk, into: e[y], workers: e.workers) }
    case .uint8: return try preparePrelu(&p, walk, as: UInt8.self)
    case .int8: return try preparePrelu(&p, walk, as: Int8.self)
    case .int16: return try preparePrelu(&p, walk, as: Int16.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }

  static let leakyRelu = Registration(.leakyRelu, versions: 1...2) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    guard case .leakyRelu(let options) = p.operation.options else { throw .options(node: p.node) }
    switch try p.input(0).type {
    case .float32:
      if let fast = try p.fastMap(.leakyRelu(options.alpha)) { return fast }
      return try p.prepareMap(Float.self) { x, y in
        Reference.leakyRelu(x, alpha: options.alpha, into: y)
      }
    case .uint8: return try prepareLeakyRelu(&p, alpha: options.alpha, as: UInt8.self)
    case .int8: return try prepareLeakyRelu(&p, alpha: options.alpha, as: Int8.self)
    case .int16:
      try p.expectSymmetric(inputs: [0], outputs: [0])
      return try prepareLeakyRelu(&p, alpha: options.alpha, as: Int16.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

private func preparePrelu<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ walk: Broadcast, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (x, y) = try p.elementwiseInPlace(as: Scalar.self)
  let alpha = try p.input(1, as: Scalar.self)
  let relu = QuantizedLeakyRelu(
    input: try p.perTensorQuantization(input: 0), alpha: try p.perTensorQuantization(input: 1),
    output: try p.perTensorQuantization(output: 0))
  return { e in Reference.prelu(e[x], alpha: e[alpha], walk, relu, into: e[y], workers: e.workers) }
}

private func prepareLeakyRelu<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, alpha: Float, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let relu = QuantizedLeakyRelu(
    input: try p.perTensorQuantization(input: 0), alpha: alpha,
    output: try p.perTensorQuantization(output: 0))
  if Scalar.bitWidth == 8 {
    return try p.prepareByteTable { (x: Scalar) in Scalar(clamping: relu(Int32(x))) }
  }
  return try p.prepareMap(Scalar.self) { x, y in Reference.leakyRelu(x, relu, into: y) }
}
