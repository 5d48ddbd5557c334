//===--- SplitOperator.swift - SPLIT, SPLIT_V -----------------------------===//
//
// SPLIT   Inputs 0 axis: one int32; 1 x. Outputs 0... y: equal parts of x along the axis.
// SPLIT_V Inputs 0 x; 1 sizes: int32 or int64, one of which may be -1 for the rest; 2 axis.
// Options SplitOptions, SplitVOptions: the number of parts.
// Source  LiteRT 2.3.0 `split.cc`, `split_v.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

/// The inputs of SPLIT.
private enum Input {
  static let axis = 0
  static let x = 1
}

/// The inputs of SPLIT_V.
private enum SizesInput {
  static let x = 0
  static let sizes = 1
  static let axis = 2
}

extension Registration {
  static let split = Registration(
    .split, versions: 1...5,
    traits: OperatorTraits(strings: StringOperands(from: 1, count: 1), typeOperand: 1)
  ) { p throws(InferenceError) in
    guard case .split(let options) = p.operation.options else { throw .options(node: p.node) }
    try expectParts(p, options.splitCount, inputs: 2)
    let shape = try p.input(Input.x).shape
    let axis = try p.axis(try p.integer(of: Input.axis), of: shape)
    let (size, rest) = shape[axis].quotientAndRemainder(dividingBy: p.outputCount)
    guard rest == 0 else {
      throw .option(node: p.node, name: "num_splits", value: p.outputCount)
    }
    let sizes = [Int](repeating: size, count: p.outputCount)
    return try prepareParts(&p, input: Input.x, axis: axis, sizes: sizes)
  }

  static let splitV = Registration(
    .splitV, versions: 1...3, traits: OperatorTraits(strings: .firstInput, typeOperand: 0)
  ) { p throws(InferenceError) in
    guard case .splitV(let options) = p.operation.options else { throw .options(node: p.node) }
    try expectParts(p, options.splitCount, inputs: 3)
    let shape = try p.input(SizesInput.x).shape
    let axis = try p.axis(try p.integer(of: SizesInput.axis), of: shape)
    var sizes = try p.integers(of: SizesInput.sizes)
    guard sizes.count == p.outputCount else {
      throw .elementCount(
        node: p.node, operand: .input(SizesInput.sizes), found: sizes.count, expected: p.outputCount
      )
    }
    var sum = 0
    for size in sizes where size != -1 {
      guard size >= 0, size <= shape[axis] else {
        throw .option(node: p.node, name: "size_splits", value: size)
      }
      sum += size
    }
    if let open = sizes.firstIndex(of: -1) { sizes[open] = shape[axis] - sum }
    guard !sizes.contains(where: { $0 < 0 }), sizes.reduce(0, +) == shape[axis] else {
      throw .extent(
        node: p.node, operand: .input(SizesInput.x), axis: axis, found: shape[axis], expected: sum)
    }
    return try prepareParts(&p, input: SizesInput.x, axis: axis, sizes: sizes)
  }
}

private func expectParts(
  _ p: Preparation, _ count: Int, inputs: Int
) throws(InferenceError) {
  guard count >= 1 else { throw .option(node: p.node, name: "num_splits", value: count) }
  try p.expect(inputs: inputs...inputs, outputs: count...count)
}

private func prepareParts(
  _ p: inout Preparation, input: Int, axis: Int, sizes: [Int]
) throws(InferenceError) -> Evaluate {
  let x = try p.inputBytes(input)
  var extents = x.shape.dimensions
  var parts: [(ByteOperand, StridedCopy)] = []
  var start = 0
  for (index, size) in sizes.enumerated() {
    extents[axis] = size
    let y = try p.outputBytes(index, typedAs: input, shape: try p.shape(extents))
    parts.append((y, StridedCopy(x, sourceStart: start, to: y)))
    start += size * x.strides[axis]
  }
  return { [parts] e in
    for (y, copy) in parts { copy(from: e[x], to: e[y], workers: e.workers) }
  }
}
