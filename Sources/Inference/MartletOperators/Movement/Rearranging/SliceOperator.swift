//===--- SliceOperator.swift - SLICE --------------------------------------===//
//
// Inputs  0 x: any type; 1 begin, 2 size: one int32 or int64 for each axis; a size of -1 means the
//         rest of the axis.
// Output  0 y: the box, x's type.
// Source  LiteRT 2.3.0 `slice.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let begin = 1
  static let size = 2
}

extension Registration {
  static let slice = Registration(
    .slice, versions: 1...8, traits: OperatorTraits(strings: .firstInput)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 3...3)
    let x = try p.inputBytes(Input.x)
    let begins = try p.integers(of: Input.begin)
    let sizes = try p.integers(of: Input.size)
    for (index, count) in [(1, begins.count), (2, sizes.count)] where count != x.shape.rank {
      throw .elementCount(
        node: p.node, operand: .input(index), found: count, expected: x.shape.rank)
    }
    var extents: [Int] = []
    var start = 0
    for axis in 0..<x.shape.rank {
      let begin = begins[axis]
      guard begin >= 0, begin <= x.shape[axis] else {
        throw .option(node: p.node, name: "begin", value: begin)
      }
      let rest = x.shape[axis] - begin
      let size = sizes[axis] == -1 ? rest : sizes[axis]
      guard size >= 0, size <= rest else {
        throw .option(node: p.node, name: "size", value: sizes[axis])
      }
      extents.append(size)
      start += begin * x.strides[axis]
    }
    let y = try p.outputBytes(0, typedAs: Input.x, shape: try p.shape(extents))
    let copy = StridedCopy(x, sourceStart: start, to: y)
    return { e in copy(from: e[x], to: e[y], workers: e.workers) }
  }
}
