//===--- OneHotOperator.swift - ONE_HOT -----------------------------------===//
//
// Inputs  0 indices: int32 or int64; 1 depth: one int32; 2 on, 3 off: one element each of float32,
//         bool, or an integer of 8 to 64 bits
// Output  0 y: on's type; the indices' extents with the depth inserted at an axis.
// Options OneHotOptions: the axis, -1 for the last.
// Source  LiteRT 2.3.0 `one_hot.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let indices = 0
  static let depth = 1
  static let on = 2
  static let off = 3
}

extension Registration {
  static let oneHot = Registration(.oneHot, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 4...4)
    switch try p.input(Input.indices).type {
    case .int32: return try prepareOneHot(&p, Int32.self)
    case .int64: return try prepareOneHot(&p, Int64.self)
    case let found:
      throw .unsupportedType(node: p.node, operand: .input(Input.indices), found: found)
    }
  }
}

private func prepareOneHot<Index: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Index.Type
) throws(InferenceError) -> Evaluate {
  guard case .oneHot(let options) = p.operation.options else { throw .options(node: p.node) }
  let indices = try p.input(Input.indices, as: Index.self)
  let axis = options.axis == -1 ? indices.shape.rank : options.axis
  guard (0...indices.shape.rank).contains(axis) else {
    throw .option(node: p.node, name: "axis", value: options.axis)
  }
  for index in 1...3 { try p.expectCount(1, input: index) }
  let depth = Int(try p.values(of: Input.depth, as: Int32.self)[0])
  guard depth >= 0 else { throw .option(node: p.node, name: "depth", value: depth) }
  try p.expectType([.float32, .bool, .uint8, .int8, .int16, .int32, .int64], input: Input.on)
  let on = try p.inputBytes(Input.on)
  let off = try p.inputBytes(Input.off, typedAs: Input.on)
  var extents = indices.shape.dimensions
  extents.insert(depth, at: axis)
  let y = try p.outputBytes(0, typedAs: Input.on, shape: try p.shape(extents))
  let fill = StridedCopy(filling: y)
  let inner = indices.shape.product(axis..<indices.shape.rank)
  return { e in
    fill(from: e[off], to: e[y])
    Reference.setHot(
      e[indices], depth: depth, inner: inner, on: e[on], size: y.elementSize, into: e[y])
  }
}
