//===--- Select.swift - SELECT, SELECT_V2 ---------------------------------===//
//
// Inputs  0 condition: bool; 1 a, 2 b: one type. SELECT_V2: shapes that broadcast. SELECT: a and b
//         of one shape, the condition of that shape, or a scalar, or one value for each index of
//         the first axis.
// Output  0 y: a where the condition holds, b elsewhere.
// Source  LiteRT 2.3.0 `select.cc`.
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletModel
import MartletReference
import MartletTensor

extension Registration {
  static let select = Registration(.select, versions: 1...4) { p throws(InferenceError) in
    try p.expect(inputs: 3...3)
    let condition = try p.input(0).shape
    let shape = try p.input(1).shape
    guard try p.input(2).shape == shape else {
      throw .elementCount(
        node: p.node, operand: .input(2), found: try p.input(2).shape.elementCount,
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
        node: p.node, operand: .input(0), found: condition.elementCount,
        expected: shape.elementCount)
    }
    let rows = try p.shape([shape[0]] + [Int](repeating: 1, count: shape.rank - 1))
    return try prepareSelect(&p, Broadcast([rows, shape, shape], over: shape))
  }

  static let selectV2 = Registration(.selectV2, versions: 1...2) { p throws(InferenceError) in
    try p.expect(inputs: 3...3)
    return try prepareSelect(&p, try p.broadcast(0, 1, 2))
  }
}

private func prepareSelect(
  _ p: inout Preparation, _ walk: Broadcast
) throws(InferenceError) -> Evaluate {
  let condition = try p.input(0, as: Bool.self)
  let a = try p.inputBytes(1)
  let b = try p.inputBytes(2, typedAs: 1)
  let y = try p.outputBytes(0, typedAs: 1, shape: walk.shape)
  func select<Word: BitwiseCopyable>(_: Word.Type) -> Evaluate {
    { e in
      Reference.select(
        e[condition], e[a].assumingMemoryBound(to: Word.self),
        e[b].assumingMemoryBound(to: Word.self), walk,
        into: e[y].assumingMemoryBound(to: Word.self))
    }
  }
  switch a.elementSize {
  case 1: return select(UInt8.self)
  case 2: return select(UInt16.self)
  case 4: return select(UInt32.self)
  case 8: return select(UInt64.self)
  default:
    throw .unsupportedType(node: p.node, operand: .input(1), found: try p.input(1).type)
  }
}
