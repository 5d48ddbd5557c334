//===--- ComparisonOperator.swift - comparisons and logical operators -----===//
//
// EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, LOGICAL_AND, LOGICAL_OR, LOGICAL_NOT
//
// Inputs  0 a, 1 b: shapes that broadcast, one type of float32, float16, bfloat16, uint8, int8,
//         int16, int32, int64; EQUAL and NOT_EQUAL also bool. Quantized operands are compared by
//         their real values. The logical operators take bool.
// Output  0 y: bool, the broadcast shape.
// Source  LiteRT 2.3.0 `comparisons.cc`, `reference/comparisons.h`, `logical.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let equal = comparison(.equal, .equal, versions: 1...5)
  static let notEqual = comparison(.notEqual, .notEqual, versions: 1...4)
  static let less = comparison(.less, .less, versions: 1...3)
  static let lessEqual = comparison(.lessEqual, .lessEqual, versions: 1...2)
  static let greater = comparison(.greater, .greater, versions: 1...2)
  static let greaterEqual = comparison(.greaterEqual, .greaterEqual, versions: 1...3)

  static let logicalAnd = Registration(.logicalAnd, versions: 1...1) { p throws(InferenceError) in
    try prepareLogical(&p) { $0 && $1 }
  }
  static let logicalOr = Registration(.logicalOr, versions: 1...1) { p throws(InferenceError) in
    try prepareLogical(&p) { $0 || $1 }
  }
  static let logicalNot = Registration(.logicalNot, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let x = try p.input(0, as: Bool.self)
    let y = try p.output(0, as: Bool.self, shape: x.shape)
    return { e in Reference.map(e[x], into: e[y], workers: e.workers) { !$0 } }
  }

  private static func comparison(
    _ builtin: BuiltinOperator, _ relation: Relation, versions: ClosedRange<Int>
  ) -> Registration {
    let isOrder = relation != .equal && relation != .notEqual
    return Registration(
      builtin, versions: versions,
      traits: OperatorTraits(strings: isOrder ? nil : StringOperands(results: .none))
    ) { p throws(InferenceError) in
      try prepareComparison(&p, relation)
    }
  }
}

private func prepareComparison(
  _ p: inout Preparation, _ relation: Relation
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 2...2)
  let isOrder = relation != .equal && relation != .notEqual
  switch try p.input(0).type {
  case .bool where !isOrder: return try prepareTruth(&p, relation)
  case .float32: return try preparePlain(&p, relation, Float.self)
  case .float16: return try preparePlain(&p, relation, Half.self)
  case .bfloat16: return try preparePlain(&p, relation, BrainFloat.self)
  case .int32: return try preparePlain(&p, relation, Int32.self)
  case .int64: return try preparePlain(&p, relation, Int64.self)
  case .uint8: return try prepareScaled(&p, relation, UInt8.self)
  case .int8: return try prepareScaled(&p, relation, Int8.self)
  // LiteRT compares 16-bit integers without dequantizing, except for equality.
  case .int16 where isOrder: return try preparePlain(&p, relation, Int16.self)
  case .int16: return try prepareScaled(&p, relation, Int16.self)
  case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
  }
}

private func preparePlain<Scalar: Element & Comparable>(
  _ p: inout Preparation, _ relation: Relation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self, to: Bool.self)
  return { e in Reference.compare(e[a], relation, e[b], walk, into: e[y], workers: e.workers) }
}

private func prepareScaled<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ relation: Relation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  if try p.input(0).quantization == nil, try p.input(1).quantization == nil {
    return try preparePlain(&p, relation, Scalar.self)
  }
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self, to: Bool.self)
  let valueA = QuantizedValue(try p.perTensorQuantization(input: 0))
  let valueB = QuantizedValue(try p.perTensorQuantization(input: 1))
  return { e in
    Reference.compare(e[a], valueA, relation, e[b], valueB, walk, into: e[y], workers: e.workers)
  }
}

private func prepareTruth(
  _ p: inout Preparation, _ relation: Relation
) throws(InferenceError) -> Evaluate {
  let isEqual = relation == .equal
  return try prepareLogical(&p) { ($0 == $1) == isEqual }
}

private func prepareLogical(
  _ p: inout Preparation, _ combine: @escaping @Sendable (Bool, Bool) -> Bool
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 2...2)
  let (a, b, y, walk) = try p.broadcastOperands(Bool.self)
  return { e in walk.combine(e[a], e[b], into: e[y], workers: e.workers, combine) }
}
