//===--- SelectOperator.swift - SELECT, SELECT_V2 -------------------------===//
//
// Inputs  0 condition: bool; 1 a, 2 b: one type. SELECT_V2: shapes that broadcast. SELECT: a and b
//         of one shape, the condition of that shape, or a scalar, or one value for each index of
//         the first axis.
// Output  0 y: a if the condition is true, otherwise b.
// Source  LiteRT 2.3.0 `select.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let condition = 0
  static let a = 1
  static let b = 2
}

extension Registration {
  static let select = Registration(
    .select, versions: 1...4,
    traits: OperatorTraits(strings: StringOperands(from: 1), typeOperand: 1)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 3...3)
    let condition = try p.input(Input.condition).shape
    let shape = try p.input(Input.a).shape
    guard try p.input(Input.b).shape == shape else {
      throw .elementCount(
        node: p.node, operand: .input(Input.b), found: try p.input(Input.b).shape.elementCount,
        expected: shape.elementCount)
    }
    if condition == shape {
      return try prepareSelect(&p, Broadcast([shape, shape, shape], over: shape))
    }
    if condition.elementCount == 1 {
      return try prepareSelect(&p, Broadcast([Shape(), shape, shape], over: shape))
    }
    guard condition.rank == 1, shape.rank > 0, condition[0] == shape[0] else {
      throw .elementCount(
        node: p.node, operand: .input(Input.condition), found: condition.elementCount,
        expected: shape.elementCount)
    }
    let rows = try p.shape([shape[0]] + [Int](repeating: 1, count: shape.rank - 1))
    return try prepareSelect(&p, Broadcast([rows, shape, shape], over: shape))
  }

  static let selectV2 = Registration(
    .selectV2, versions: 1...2,
    traits: OperatorTraits(strings: StringOperands(from: 1), typeOperand: 1)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 3...3)
    return try prepareSelect(&p, try p.broadcast(0, 1, 2))
  }
}

private func prepareSelect(
  _ p: inout Preparation, _ walk: Broadcast
) throws(InferenceError) -> Evaluate {
  let condition = try p.input(Input.condition, as: Bool.self)
  let a = try p.inputBytes(Input.a)
  let b = try p.inputBytes(Input.b, typedAs: Input.a)
  let y = try p.outputBytes(0, typedAs: Input.a, shape: walk.shape)
  func select<Word: BitwiseCopyable>(_: Word.Type) -> Evaluate {
    { e in
      Reference.select(
        e[condition], e[a].assumingMemoryBound(to: Word.self),
        e[b].assumingMemoryBound(to: Word.self), walk,
        into: e[y].assumingMemoryBound(to: Word.self), workers: e.workers)
    }
  }
  switch a.elementSize {
  case 1: return select(UInt8.self)
  case 2: return select(UInt16.self)
  case 4: return select(UInt32.self)
  case 8: return select(UInt64.self)
  default:
    throw .unsupportedType(node: p.node, operand: .input(Input.a), found: try p.input(Input.a).type)
  }
}
