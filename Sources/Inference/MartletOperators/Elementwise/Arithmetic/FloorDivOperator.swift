//===--- FloorDivOperator.swift - FLOOR_DIV, FLOOR_MOD --------------------===//
//
// Inputs  0 a, 1 b: shapes that broadcast, one type of float32, int8, int16, int32; FLOOR_MOD also
//         int64. A divisor of zero is an error, except for FLOOR_MOD of floats. Integers are used
//         without dequantizing.
// Output  0 y: the broadcast shape, their type.
// Source  LiteRT 2.3.0 `floor_div.cc`, `floor_mod.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let floorDiv = Registration(
    .floorDiv, versions: 1...3, traits: OperatorTraits(cost: .pairs(.slow), typeOperand: 0)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    switch try p.input(0).type {
    case .float32:
      return try prepareDivision(&p, Float.self) {
        Reference.floorDivide($0, $1, $2, into: $3, workers: $4)
      }
    case .int8: return try prepareQuotient(&p, Int8.self)
    case .int16: return try prepareQuotient(&p, Int16.self)
    case .int32: return try prepareQuotient(&p, Int32.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }

  static let floorMod = Registration(
    .floorMod, versions: 1...2, traits: OperatorTraits(cost: .pairs(.slow), typeOperand: 0)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    switch try p.input(0).type {
    case .float32:
      let (a, b, y, walk) = try p.broadcastOperands(Float.self)
      return { e in Reference.floorRemainder(e[a], e[b], walk, into: e[y], workers: e.workers) }
    case .int8: return try prepareRemainder(&p, Int8.self)
    case .int16: return try prepareRemainder(&p, Int16.self)
    case .int32: return try prepareRemainder(&p, Int32.self)
    case .int64: return try prepareRemainder(&p, Int64.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

private func prepareQuotient<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  try prepareDivision(&p, Scalar.self) {
    Reference.floorDivide($0, $1, $2, into: $3, workers: $4)
  }
}

private func prepareRemainder<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  try prepareDivision(&p, Scalar.self) {
    Reference.floorRemainder($0, $1, $2, into: $3, workers: $4)
  }
}

/// Returns a kernel that runs only if no divisor is zero.
private func prepareDivision<Scalar: Element & Numeric>(
  _ p: inout Preparation, _: Scalar.Type,
  _ kernel:
    @escaping @Sendable (
      UnsafeMutableBufferPointer<Scalar>, UnsafeMutableBufferPointer<Scalar>, Broadcast,
      UnsafeMutableBufferPointer<Scalar>, Workers
    ) -> Void
) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self)
  return { [node = p.node] e throws(InferenceError) in
    guard !e[b].contains(0) else { throw .divisionByZero(node: node, operand: .input(1)) }
    kernel(e[a], e[b], walk, e[y], e.workers)
  }
}
