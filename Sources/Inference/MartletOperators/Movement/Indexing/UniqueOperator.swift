//===--- UniqueOperator.swift - UNIQUE ------------------------------------===//
//
// Input    0 x: [n], float32 or an integer of 8 to 64 bits that UNIQUE supports.
// Outputs  0 values: each distinct value once; its extent depends on x's values; 1 indices: [n],
//          int32 or int64, the index of each element's value.
// Source   LiteRT 2.3.0 `unique.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension OperatorTraits {
  /// The elements are sorted; while the node is prepared, too, to count the different ones.
  fileprivate static let sorting = OperatorTraits(
    cost: OperatorCost(
      .fast,
      products: OperatorCost.sortingProducts, preparation: OperatorCost.sorting))
}

extension Registration {
  static let unique = Registration(.unique, versions: 1...1, traits: .sorting) {
    p throws(InferenceError) in
    try p.expect(inputs: 1...1, outputs: 2...2)
    try p.shape(ofInput: 0, ranks: 1...1)
    switch try p.input(0).type {
    case .float32: return try prepareUnique(&p, Float.self)
    case .uint8: return try prepareUnique(&p, UInt8.self)
    case .int8: return try prepareUnique(&p, Int8.self)
    case .int16: return try prepareUnique(&p, Int16.self)
    case .int32: return try prepareUnique(&p, Int32.self)
    case .int64: return try prepareUnique(&p, Int64.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

private func prepareUnique<Scalar: Element & Comparable>(
  _ p: inout Preparation, _ scalar: Scalar.Type
) throws(InferenceError) -> Evaluate {
  switch try p.output(1).type {
  case .int32: return try prepareUnique(&p, scalar, Int32.self)
  case .int64: return try prepareUnique(&p, scalar, Int64.self)
  case let found: throw .unsupportedType(node: p.node, operand: .output(1), found: found)
  }
}

private func prepareUnique<Scalar: Element & Comparable, Index: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type, _: Index.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Scalar.self)
  let count = countUnique(try p.values(of: 0, as: Scalar.self))
  let values = try p.output(0, as: Scalar.self, shape: try p.shape([count]))
  let indices = try p.output(1, as: Index.self, shape: x.shape)
  let order = try p.scratch(x.count, as: Int32.self)
  let first = try p.scratch(x.count, as: Int32.self)
  return { e in
    _ = Reference.firstOccurrences(e[x], order: e[order], first: e[first])
    Reference.unique(e[x], first: e[first], into: e[values], indices: e[indices])
  }
}

/// The number of distinct elements.
private func countUnique<Scalar: Comparable>(_ elements: [Scalar]) -> Int {
  var elements = elements
  var order = [Int32](repeating: 0, count: elements.count)
  var first = order
  return elements.withUnsafeMutableBufferPointer { x in
    order.withUnsafeMutableBufferPointer { order in
      first.withUnsafeMutableBufferPointer { first in
        Reference.firstOccurrences(x, order: order, first: first)
      }
    }
  }
}
