//===--- GatherOperator.swift - GATHER, GATHER_ND -------------------------===//
//
// Inputs  0 x: any type; 1 indices: int16, int32, int64, each within its axis.
// Output  0 y: x's type. GATHER: x's extents with those of the indices in place of the axis.
//         GATHER_ND: the indices' extents except the last, then those of x's axes after the ones
//         that a tuple of indices selects; an empty tuple selects all of x.
// Options GatherOptions: axis, batch dimensions.
// Source  LiteRT 2.3.0 `gather.cc`, `gather_nd.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let indices = 1
}

extension Registration {
  static let gather = Registration(
    .gather, versions: 1...8, traits: OperatorTraits(strings: .firstInput, typeOperand: 0)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    switch try p.input(Input.indices).type {
    case .int16: return try prepareGather(&p, Int16.self)
    case .int32: return try prepareGather(&p, Int32.self)
    case .int64: return try prepareGather(&p, Int64.self)
    case let type: throw .unsupportedType(node: p.node, operand: .input(Input.indices), found: type)
    }
  }

  static let gatherND = Registration(
    .gatherNd, versions: 1...6, traits: OperatorTraits(strings: .firstInput, typeOperand: 0)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    switch try p.input(Input.indices).type {
    case .int16: return try prepareGatherND(&p, Int16.self)
    case .int32: return try prepareGatherND(&p, Int32.self)
    case .int64: return try prepareGatherND(&p, Int64.self)
    case let type: throw .unsupportedType(node: p.node, operand: .input(Input.indices), found: type)
    }
  }
}

private func prepareGather<Index: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Index.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.inputBytes(Input.x)
  let indices = try p.input(Input.indices, as: Index.self)
  let (axis, batchAxes) = try axisAndBatches(p)
  let y = try p.outputBytes(
    0, typedAs: Input.x,
    shape: try p.shape(
      Array(x.shape.dimensions[..<axis]) + indices.shape.dimensions[batchAxes...]
        + x.shape.dimensions[(axis + 1)...]))
  let extents = GatherExtents(
    batches: x.shape.product(0..<batchAxes), outer: x.shape.product(batchAxes..<axis),
    axis: x.shape[axis], indices: indices.shape.product(batchAxes..<indices.shape.rank),
    run: x.shape.product(axis + 1..<x.shape.rank) * x.elementSize)
  return p.evaluation(withIndicesIn: Input.indices) { e throws(IndexOutOfRange) in
    try Reference.gather(e[x], e[indices], extents, into: e[y])
  }
}

/// The axis to gather along, and the number of leading axes that x and the indices share.
private func axisAndBatches(_ p: Preparation) throws(InferenceError) -> (Int, Int) {
  let x = try p.input(Input.x).shape
  let indices = try p.input(Input.indices).shape
  guard case .gather(let options) = p.operation.options else { throw .options(node: p.node) }
  let axis = try p.axis(options.axis, of: x)
  let batchAxes = options.batchDimensions + (options.batchDimensions < 0 ? indices.rank : 0)
  guard batchAxes >= 0, batchAxes <= axis, batchAxes <= indices.rank else {
    throw .option(node: p.node, name: "batch_dims", value: options.batchDimensions)
  }
  for other in 0..<batchAxes where indices[other] != x[other] {
    throw .extent(
      node: p.node, operand: .input(Input.indices), axis: other, found: indices[other],
      expected: x[other])
  }
  return (axis, batchAxes)
}

private func prepareGatherND<Index: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Index.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.inputBytes(Input.x)
  let indices = try p.input(Input.indices, as: Index.self)
  try p.shape(ofInput: Input.indices, ranks: 1...Shape.maximumRank)
  let last = indices.shape.rank - 1
  let depth = indices.shape[last]
  guard depth <= x.shape.rank else {
    throw .extent(
      node: p.node, operand: .input(Input.indices), axis: last, found: depth, expected: x.shape.rank
    )
  }
  let y = try p.outputBytes(
    0, typedAs: Input.x,
    shape: try p.shape(
      Array(indices.shape.dimensions[..<last]) + x.shape.dimensions[depth...]))
  let tuples = IndexTuples(
    count: indices.shape.product(0..<last), depth: depth, of: x.shape, elementSize: x.elementSize)
  let run = x.shape.product(depth..<x.shape.rank) * x.elementSize
  return p.evaluation(withIndicesIn: Input.indices) { e throws(IndexOutOfRange) in
    try Reference.gatherND(e[x], e[indices], tuples, run: run, into: e[y])
  }
}
