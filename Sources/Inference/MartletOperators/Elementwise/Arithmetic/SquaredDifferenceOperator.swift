//===--- SquaredDifferenceOperator.swift - SQUARED_DIFFERENCE -------------===//
//
// Inputs  0 a, 1 b: shapes that broadcast, one type of float32, int32, quantized int8.
// Output  0 y: the broadcast shape, their type.
// Source  LiteRT 2.3.0 `squared_difference.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let squaredDifference = Registration(
    .squaredDifference, versions: 1...2, traits: OperatorTraits(cost: .pairs(.slow), typeOperand: 0)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    p.mayOverwrite(inputs: 0, 1)
    switch try p.input(0).type {
    case .float32:
      if let fast = try p.fastPairs(.squaredDifference) { return fast }
      return try preparePlain(&p, Float.self)
    case .int32: return try preparePlain(&p, Int32.self)
    case .int8: return try prepareQuantized(&p)
    case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
    }
  }
}

private func preparePlain<Scalar: ArithmeticElement>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self)
  return { e in Reference.squaredDifference(e[a], e[b], walk, into: e[y], workers: e.workers) }
}

private func prepareQuantized(_ p: inout Preparation) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Int8.self)
  let sum = QuantizedSum(
    .squaredDifference, try p.perTensorQuantization(input: 0),
    try p.perTensorQuantization(input: 1), to: try p.perTensorQuantization(output: 0),
    extraBits: 7, range: -128...127)
  return { e in Reference.add(e[a], e[b], walk, sum, into: e[y], workers: e.workers) }
}
