//===--- ArgMaxOperator.swift - ARG_MAX, ARG_MIN --------------------------===//
//
// Inputs  0 x: bool, float32, uint8, int8, int16, int32 or int64; at least one element along the
//           axis
//         1 axis: one int32 or int64, counted from the end if negative.
// Output  0 y: int32 or int64; x's shape without the axis.
// Source  LiteRT 2.3.0 `arg_min_max.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let axis = 1
}

extension Registration {
  static let argMax = Registration(.argMax, versions: 1...3) { p throws(InferenceError) in
    try prepareBest(&p, isMaximum: true)
  }
  static let argMin = Registration(.argMin, versions: 1...3) { p throws(InferenceError) in
    try prepareBest(&p, isMaximum: false)
  }
}

private func prepareBest(
  _ p: inout Preparation, isMaximum: Bool
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 2...2)
  switch try p.input(Input.x).type {
  // A file may contain any byte for a bool.
  case .bool:
    let x = try p.input(Input.x)
    return try prepareBest(
      &p, Operand<UInt8>(slot: x.index, shape: x.shape), isMaximum: isMaximum)
  case .float32:
    return try prepareBest(&p, try p.input(Input.x, as: Float.self), isMaximum: isMaximum)
  case .uint8:
    return try prepareBest(&p, try p.input(Input.x, as: UInt8.self), isMaximum: isMaximum)
  case .int8:
    return try prepareBest(&p, try p.input(Input.x, as: Int8.self), isMaximum: isMaximum)
  case .int16:
    return try prepareBest(&p, try p.input(Input.x, as: Int16.self), isMaximum: isMaximum)
  case .int32:
    return try prepareBest(&p, try p.input(Input.x, as: Int32.self), isMaximum: isMaximum)
  case .int64:
    return try prepareBest(&p, try p.input(Input.x, as: Int64.self), isMaximum: isMaximum)
  case let found: throw .unsupportedType(node: p.node, operand: .input(Input.x), found: found)
  }
}

private func prepareBest<Scalar: Element & Comparable>(
  _ p: inout Preparation, _ x: Operand<Scalar>, isMaximum: Bool
) throws(InferenceError) -> Evaluate {
  switch try p.output(0).type {
  case .int32: return try prepareBest(&p, x, as: Int32.self, isMaximum: isMaximum)
  case .int64: return try prepareBest(&p, x, as: Int64.self, isMaximum: isMaximum)
  case let found: throw .unsupportedType(node: p.node, operand: .output(0), found: found)
  }
}

private func prepareBest<Scalar: Element & Comparable, Index: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ x: Operand<Scalar>, as: Index.Type, isMaximum: Bool
) throws(InferenceError) -> Evaluate {
  let (extent, inner, shape) = try p.axisToSearch()
  let y = try p.output(0, as: Index.self, shape: shape)
  return { e in
    Reference.bestIndex(
      e[x], extent: extent, inner: inner, isMaximum: isMaximum, into: e[y], workers: e.workers)
  }
}

extension Preparation {
  /// The extent of the axis, the distance between neighbors along it, and the result's shape.
  fileprivate func axisToSearch() throws(InferenceError) -> (extent: Int, inner: Int, Shape) {
    let x = try input(Input.x).shape
    let axis = try axis(try integer(of: Input.axis), of: x)
    let extent = x[axis]
    guard extent > 0 else {
      throw .extent(node: node, operand: .input(Input.x), axis: axis, found: 0, expected: 1)
    }
    var extents = x.dimensions
    extents.remove(at: axis)
    return (extent, max(x.product(axis + 1..<x.rank), 1), try shape(extents))
  }
}
