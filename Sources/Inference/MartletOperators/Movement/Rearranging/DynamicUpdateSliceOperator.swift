//===--- DynamicUpdateSliceOperator.swift - DYNAMIC_UPDATE_SLICE ----------===//
//
// Inputs  0 x: any type; 1 update: x's type and rank, not larger along any axis; 2 start: int32 or
//         int64, one for each axis, clamped so that the update stays inside.
// Output  0 y: x with the update in place of the box that begins at the start.
// Source  LiteRT 2.3.0 `dynamic_update_slice.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let update = 1
  static let start = 2
}

extension Registration {
  static let dynamicUpdateSlice = Registration(
    .dynamicUpdateSlice, versions: 1...6
  ) { p throws(InferenceError) in
    try p.expect(inputs: 3...3)
    switch try p.input(Input.start).type {
    case .int32: return try prepareUpdate(&p, Int32.self)
    case .int64: return try prepareUpdate(&p, Int64.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(Input.start), found: found)
    }
  }
}

private func prepareUpdate<Index: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Index.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.inputBytes(Input.x)
  let update = try p.inputBytes(Input.update, typedAs: Input.x)
  let start = try p.input(Input.start, as: Index.self)
  try p.shape(ofInput: Input.update, ranks: x.shape.rank...x.shape.rank)
  try p.shape(ofInput: Input.start, ranks: 1...1)
  try p.expectCount(x.shape.rank, input: Input.start)
  for axis in 0..<x.shape.rank where update.shape[axis] > x.shape[axis] {
    throw .extent(
      node: p.node, operand: .input(Input.update), axis: axis, found: update.shape[axis],
      expected: x.shape[axis])
  }
  let y = try p.outputBytes(0, typedAs: Input.x, shape: x.shape)
  let copy = StridedCopy(update, to: y, destinationStart: 0)
  let axes = (0..<x.shape.rank).map {
    (room: x.shape[$0] - update.shape[$0], stride: x.strides[$0])
  }
  return { e in
    e[y].copyMemory(from: e[x], byteCount: x.byteCount)
    var offset = 0
    for (index, axis) in zip(e[start], axes) {
      offset += min(max(Int(clamping: index), 0), axis.room) * axis.stride
    }
    copy(from: e[update], to: e[y] + offset)
  }
}
