//===--- TopKOperator.swift - TOPK_V2 -------------------------------------===//
//
// Inputs   0 x: [..., n], float32, uint8, int8, int16, int32 or int64
//          1 k: one int32 or int16, at most n; negative counts as 0
// Outputs  0 values: [..., k], x's type; 1 indices: [..., k], int32 or int16.
// Source   LiteRT 2.3.0 `topk_v2.cc`. In LiteRT, int16 indices wrap if a row is too long for them;
//          here such rows are rejected.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let k = 1
}

extension OperatorTraits {
  fileprivate static let sorting = OperatorTraits(
    cost: OperatorCost(
      .fast,
      products: OperatorCost.sortingProducts))
}

extension Registration {
  static let topK = Registration(.topkV2, versions: 1...3, traits: .sorting) {
    p throws(InferenceError) in
    try p.expect(inputs: 2...2, outputs: 2...2)
    switch try p.input(Input.x).type {
    case .float32: return try prepareTopK(&p, Float.self)
    case .uint8: return try prepareTopK(&p, UInt8.self)
    case .int8: return try prepareTopK(&p, Int8.self)
    case .int16: return try prepareTopK(&p, Int16.self)
    case .int32: return try prepareTopK(&p, Int32.self)
    case .int64: return try prepareTopK(&p, Int64.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(Input.x), found: found)
    }
  }
}

private func prepareTopK<Scalar: Element & Comparable>(
  _ p: inout Preparation, _ scalar: Scalar.Type
) throws(InferenceError) -> Evaluate {
  switch try p.output(1).type {
  case .int16: return try prepareTopK(&p, scalar, Int16.self)
  case .int32: return try prepareTopK(&p, scalar, Int32.self)
  case let found: throw .unsupportedType(node: p.node, operand: .output(1), found: found)
  }
}

private func prepareTopK<Scalar: Element & Comparable, Index: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type, _: Index.Type
) throws(InferenceError) -> Evaluate {
  let (row, k, shape) = try p.rowsToSearch(largestIndex: Int(Index.max))
  let x = try p.input(Input.x, as: Scalar.self)
  let values = try p.output(0, as: Scalar.self, shape: shape)
  let indices = try p.output(1, as: Index.self, shape: shape)
  return { e in Reference.topK(e[x], row: row, k: k, values: e[values], indices: e[indices]) }
}

extension Preparation {
  /// The length of a row, the number of elements to select, and the results' shape.
  fileprivate func rowsToSearch(
    largestIndex: Int
  ) throws(InferenceError) -> (row: Int, k: Int, Shape) {
    let x = try shape(ofInput: Input.x, ranks: 1...Shape.maximumRank)
    let last = x.rank - 1
    let row = x[last]
    try expectCount(1, input: Input.k)
    let wanted =
      try input(Input.k).type == .int16
      ? Int(try values(of: Input.k, as: Int16.self)[0])
      : Int(try values(of: Input.k, as: Int32.self)[0])
    let k = max(wanted, 0)
    guard k <= row else { throw .option(node: node, name: "k", value: k) }
    guard row - 1 <= largestIndex else {
      throw .extent(
        node: node, operand: .input(Input.x), axis: last, found: row, expected: largestIndex + 1)
    }
    return (row, k, try shape(x.dimensions.dropLast() + [k]))
  }
}
