//===--- TransposeOperator.swift - TRANSPOSE ------------------------------===//
//
// Inputs  0 x: any type; 1 permutation: int32 or int64, each axis once.
// Output  0 y: axis i is x's axis permutation[i].
// Source  LiteRT 2.3.0 `transpose.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let permutation = 1
}

extension Registration {
  static let transpose = Registration(
    .transpose, versions: 1...9, traits: OperatorTraits(strings: .firstInput)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    let x = try p.inputBytes(Input.x)
    let permutation = try p.integers(of: Input.permutation)
    guard permutation.count == x.shape.rank else {
      throw .elementCount(
        node: p.node, operand: .input(Input.permutation), found: permutation.count,
        expected: x.shape.rank)
    }
    var axes: [Int] = []
    for index in permutation {
      let axis = try p.axis(index, of: x.shape)
      guard !axes.contains(axis) else { throw .option(node: p.node, name: "perm", value: index) }
      axes.append(axis)
    }
    let y = try p.outputBytes(0, typedAs: Input.x, shape: try p.shape(axes.map { x.shape[$0] }))
    let copy = StridedCopy(
      axes.enumerated().map {
        .init(extent: x.shape[$1], source: x.strides[$1], destination: y.strides[$0])
      }, elementSize: x.elementSize)
    return { e in copy(from: e[x], to: e[y], workers: e.workers) }
  }
}
