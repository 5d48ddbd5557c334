//===--- MaximumOperator.swift - MAXIMUM, MINIMUM -------------------------===//
//
// Inputs  0 a, 1 b: shapes that broadcast, one type of float32, float16, bfloat16, uint8, int8,
//         int16, int32, int64.
//         Quantized operands are compared as integers: their quantization is the output's.
// Output  0 y: the broadcast shape, their type.
// Source  LiteRT 2.3.0 `maximum_minimum.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let maximum = Registration(
    .maximum, versions: 1...4, traits: OperatorTraits(cost: .pairs(), typeOperand: 0)
  ) { p throws(InferenceError) in
    try prepareExtremum(&p, isMaximum: true)
  }
  static let minimum = Registration(
    .minimum, versions: 1...4, traits: OperatorTraits(cost: .pairs(), typeOperand: 0)
  ) { p throws(InferenceError) in
    try prepareExtremum(&p, isMaximum: false)
  }
}

private func prepareExtremum(
  _ p: inout Preparation, isMaximum: Bool
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 2...2)
  p.mayOverwrite(inputs: 0, 1)
  switch try p.input(0).type {
  case .float32:
    if let fast = try p.fastPairs(isMaximum ? .maximum : .minimum) { return fast }
    return try prepareExtremum(&p, Float.self, isMaximum)
  case .float16: return try prepareExtremum(&p, Half.self, isMaximum)
  case .bfloat16: return try prepareExtremum(&p, BrainFloat.self, isMaximum)
  case .uint8: return try prepareExtremum(&p, UInt8.self, isMaximum)
  case .int8: return try prepareExtremum(&p, Int8.self, isMaximum)
  case .int16: return try prepareExtremum(&p, Int16.self, isMaximum)
  case .int32: return try prepareExtremum(&p, Int32.self, isMaximum)
  case .int64: return try prepareExtremum(&p, Int64.self, isMaximum)
  case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
  }
}

private func prepareExtremum<Scalar: Element & Comparable>(
  _ p: inout Preparation, _: Scalar.Type, _ isMaximum: Bool
) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self)
  if isMaximum {
    return { e in Reference.maximum(e[a], e[b], walk, into: e[y], workers: e.workers) }
  }
  return { e in Reference.minimum(e[a], e[b], walk, into: e[y], workers: e.workers) }
}
