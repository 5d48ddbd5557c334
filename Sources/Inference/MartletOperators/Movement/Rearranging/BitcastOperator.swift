//===--- BitcastOperator.swift - BITCAST, BROADCAST_ARGS ------------------===//
//
// BITCAST         Input   0 x: any type of whole bytes. Output 0 y: the same bytes as another type.
// Wider elements remove the last axis, whose extent must fill one element; narrower ones add an
// axis. BROADCAST_ARGS  Inputs  0 a, 1 b: extents, one axis of int32 or int64. Output 0 y: the
// extents that tensors of these shapes are broadcast to.
// Source          LiteRT 2.3.0 `bitcast.cc`, `broadcast_args.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

/// The inputs of BROADCAST_ARGS.
private enum Input {
  static let a = 0
  static let b = 1
}

extension Registration {
  static let bitcast = Registration(.bitcast, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let x = try p.inputBytes(0)
    for (type, place) in [
      (try p.input(0).declaredType, OperandPlace.input(0)),
      (try p.output(0).declaredType, .output(0)),
    ] where type.isNarrow {
      throw .unsupportedType(node: p.node, operand: place, found: type)
    }
    let width = try p.outputBytes(0, shape: Shape()).elementSize
    var extents = x.shape.dimensions
    if x.elementSize > width {
      extents.append(x.elementSize / width)
    } else if x.elementSize < width {
      try p.shape(ofInput: 0, ranks: 1...Shape.maximumRank)
      let last = extents.removeLast()
      guard last == width / x.elementSize else {
        throw .extent(
          node: p.node, operand: .input(0), axis: extents.count, found: last,
          expected: width / x.elementSize)
      }
    }
    let y = try p.outputBytes(0, shape: try p.shape(extents))
    return { e in e[y].copyMemory(from: e[x], byteCount: x.byteCount) }
  }

  static let broadcastArgs = Registration(
    .broadcastArgs, versions: 1...1
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    try p.shape(ofInput: Input.a, ranks: 1...1)
    try p.shape(ofInput: Input.b, ranks: 1...1)
    switch try p.input(Input.a).type {
    case .int32: return try prepareExtents(&p, Int32.self)
    case .int64: return try prepareExtents(&p, Int64.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(Input.a), found: found)
    }
  }
}

private func prepareExtents<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let a = try p.input(Input.a, as: Scalar.self)
  let b = try p.input(Input.b, as: Scalar.self)
  let rank = max(a.count, b.count)
  let y = try p.output(0, as: Scalar.self, shape: try p.shape([rank]))
  return { [node = p.node] e throws(InferenceError) in
    for axis in 0..<rank {
      let left = axis + a.count - rank >= 0 ? e[a][axis + a.count - rank] : 1
      let right = axis + b.count - rank >= 0 ? e[b][axis + b.count - rank] : 1
      guard left == right || left == 1 || right == 1 else {
        throw .extent(
          node: node, operand: .input(Input.b), axis: axis, found: Int(clamping: right),
          expected: Int(clamping: left))
      }
      e[y][axis] = left == 1 ? right : left
    }
  }
}
