//===--- TileOperator.swift - TILE, BROADCAST_TO, SHAPE, RANK -------------===//
//
// TILE          Inputs 0 x: any type; 1 multiples: int32 or int64, one for each axis, not negative.
//               Output 0 y: x repeated.
// BROADCAST_TO  Inputs 0 x: any type; 1 extents: int32 or int64. Output 0 y: x with extents of 1
//               repeated.
// SHAPE         Input 0 x. Output 0 y: x's extents, int32 or int64.
// RANK          Input 0 x. Output 0 y: x's number of axes, one int32.
// Source        LiteRT 2.3.0 `tile.cc`, `broadcast_to.cc`, `shape.cc`, `rank.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs of TILE.
private enum Input {
  static let x = 0
  static let multiples = 1
}

/// The inputs of BROADCAST_TO.
private enum BroadcastInput {
  static let x = 0
  static let extents = 1
}

extension Registration {
  static let tile = Registration(
    .tile, versions: 1...3, traits: OperatorTraits(strings: .firstInput, typeOperand: 0)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    let x = try p.inputBytes(Input.x)
    let multiples = try p.integers(of: Input.multiples)
    guard multiples.count == x.shape.rank else {
      throw .elementCount(
        node: p.node, operand: .input(Input.multiples), found: multiples.count,
        expected: x.shape.rank)
    }
    var extents: [Int] = []
    for (axis, multiple) in multiples.enumerated() {
      guard multiple >= 0, multiple <= Int(Int32.max) else {
        throw .option(node: p.node, name: "multiples", value: multiple)
      }
      extents.append(saturatingProduct(x.shape[axis], multiple))
    }
    let y = try p.outputBytes(0, typedAs: Input.x, shape: try p.shape(extents))
    let axes = multiples.enumerated().flatMap { axis, multiple in
      [
        StridedCopy.Axis(
          extent: multiple, source: 0, destination: x.shape[axis] &* y.strides[axis]),
        StridedCopy.Axis(
          extent: x.shape[axis], source: x.strides[axis], destination: y.strides[axis]),
      ]
    }
    let copy = StridedCopy(axes, elementSize: x.elementSize)
    return { e in copy(from: e[x], to: e[y], workers: e.workers) }
  }

  static let broadcastTo = Registration(
    .broadcastTo, versions: 2...4, traits: OperatorTraits(strings: .firstInput)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    let x = try p.inputBytes(BroadcastInput.x)
    let shape = try p.shape(try p.integers(of: BroadcastInput.extents))
    try p.shape(ofInput: BroadcastInput.x, ranks: 0...shape.rank)
    let missing = shape.rank - x.shape.rank
    for axis in 0..<x.shape.rank where ![1, shape[axis + missing]].contains(x.shape[axis]) {
      throw .extent(
        node: p.node, operand: .input(BroadcastInput.x), axis: axis, found: x.shape[axis],
        expected: shape[axis + missing])
    }
    let y = try p.outputBytes(0, typedAs: BroadcastInput.x, shape: shape)
    let axes = (0..<shape.rank).map { axis in
      let inner = axis - missing
      let repeats = inner < 0 || x.shape[inner] == 1
      return StridedCopy.Axis(
        extent: shape[axis], source: repeats ? 0 : x.strides[inner],
        destination: y.strides[axis])
    }
    let copy = StridedCopy(axes, elementSize: x.elementSize)
    return { e in copy(from: e[x], to: e[y], workers: e.workers) }
  }

  static let shape = Registration(.shape, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let extents = try p.input(0).shape
    let shape = try p.shape([extents.rank])
    if try p.output(0).type == .int64 {
      let y = try p.output(0, as: Int64.self, shape: shape)
      return { e in
        for axis in 0..<extents.rank { e[y][axis] = Int64(extents[axis]) }
      }
    }
    let y = try p.output(0, as: Int32.self, shape: shape)
    return { e in
      for axis in 0..<extents.rank { e[y][axis] = Int32(truncatingIfNeeded: extents[axis]) }
    }
  }

  static let rank = Registration(.rank, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let rank = Int32(truncatingIfNeeded: try p.input(0).shape.rank)
    let y = try p.output(0, as: Int32.self, shape: Shape())
    return { e in e[y][0] = rank }
  }
}
