//===--- ScatterOperator.swift - SCATTER_ND, SPARSE_TO_DENSE --------------===//
//
// SCATTER_ND       Inputs 0 indices: int32, [..., k]; 1 updates: float32, bool, uint8, int8, int32
//                  or int64, of the indices' extents except the last, then those of the output's
//                  axes after the k that a tuple selects; 2 the output's extents: int32.
//                  Output 0 y: zero, with the updates at their positions; duplicates are summed.
// SPARSE_TO_DENSE  Inputs 0 indices: int32 or int64, [n, rank], or [n] or a scalar for one axis;
//                  1 the output's extents: int32 or int64; 2 values: any type, one or n; 3 one
//                  element for all other positions. Output 0 y: the values at their positions.
// Source           LiteRT 2.3.0 `scatter_nd.cc`, `sparse_to_dense.cc`. The latter does not check its
//                  indices; here an index out of range is an error.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs of SCATTER_ND.
private enum Input {
  static let indices = 0
  static let updates = 1
  static let extents = 2
}

/// The inputs of SPARSE_TO_DENSE.
private enum SparseInput {
  static let indices = 0
  static let extents = 1
  static let values = 2
  static let filling = 3
}

extension Registration {
  static let scatterND = Registration(.scatterNd, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 3...3)
    switch try p.input(Input.updates).type {
    case .float32: return try prepareScatter(&p, Float.self) { $0 + $1 }
    case .int8: return try prepareScatter(&p, Int8.self) { $0 &+ $1 }
    case .uint8: return try prepareScatter(&p, UInt8.self) { $0 &+ $1 }
    case .int32: return try prepareScatter(&p, Int32.self) { $0 &+ $1 }
    case .int64: return try prepareScatter(&p, Int64.self) { $0 &+ $1 }
    case .bool: return try prepareScatter(&p, Bool.self) { $0 || $1 }
    case let found:
      throw .unsupportedType(node: p.node, operand: .input(Input.updates), found: found)
    }
  }

  static let sparseToDense = Registration(
    .sparseToDense, versions: 1...3
  ) { p throws(InferenceError) in
    try p.expect(inputs: 4...4)
    switch try p.input(SparseInput.indices).type {
    case .int32: return try prepareSparse(&p, Int32.self)
    case .int64: return try prepareSparse(&p, Int64.self)
    case let found:
      throw .unsupportedType(node: p.node, operand: .input(SparseInput.indices), found: found)
    }
  }
}

private func prepareScatter<Scalar: Element>(
  _ p: inout Preparation, _: Scalar.Type,
  _ add: @escaping @Sendable (Scalar, Scalar) -> Scalar
) throws(InferenceError) -> Evaluate {
  let indices = try p.input(Input.indices, as: Int32.self)
  let (tuples, run, shape) = try p.slicesToAdd()
  let updates = try p.input(Input.updates, as: Scalar.self)
  let y = try p.output(0, as: Scalar.self, shape: shape)
  return p.evaluation(withIndicesIn: Input.indices) { e throws(IndexOutOfRange) in
    guard let x = e[updates].baseAddress else { return }
    try Reference.scatterSums(x, e[indices], tuples, run: run, into: e[y], add)
  }
}

extension Preparation {
  /// The positions of the slices of input 1, their length, and the result's shape.
  fileprivate func slicesToAdd() throws(InferenceError) -> (IndexTuples, run: Int, Shape) {
    let extents = try values(of: Input.extents, as: Int32.self).map { Int($0) }
    let indices = try shape(ofInput: Input.indices, ranks: 1...Shape.maximumRank)
    let outer = indices.rank - 1
    let depth = indices[outer]
    guard depth <= extents.count else {
      throw .extent(
        node: node, operand: .input(Input.indices), axis: outer, found: depth,
        expected: extents.count)
    }
    let expected = indices.dimensions[..<outer] + extents[depth...]
    let updates = try shape(ofInput: Input.updates, ranks: expected.count...expected.count)
    for (axis, extent) in expected.enumerated() {
      try expect(updates, ofInput: Input.updates, axis: axis, extent: extent)
    }
    let result = try shape(extents)
    let tuples = IndexTuples(
      count: indices.product(0..<outer), depth: depth, of: result, elementSize: 1)
    return (tuples, result.product(depth..<result.rank), result)
  }
}

private func prepareSparse<Index: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Index.Type
) throws(InferenceError) -> Evaluate {
  let indices = try p.input(SparseInput.indices, as: Index.self)
  let shape = try p.shape(try p.integers(of: SparseInput.extents))
  try p.shape(ofInput: SparseInput.indices, ranks: 0...2)
  let isMatrix = indices.shape.rank == 2
  let depth = isMatrix ? indices.shape[1] : 1
  guard depth == shape.rank else {
    throw .elementCount(
      node: p.node, operand: .input(SparseInput.extents), found: shape.rank, expected: depth)
  }
  let count = isMatrix ? indices.shape[0] : indices.count
  let values = try p.inputBytes(SparseInput.values)
  try p.shape(ofInput: SparseInput.values, ranks: 0...1)
  if values.shape.rank == 1 { try p.expectCount(count, input: SparseInput.values) }
  let rest = try p.inputBytes(SparseInput.filling, typedAs: SparseInput.values)
  try p.expectCount(1, input: SparseInput.filling)
  let y = try p.outputBytes(0, typedAs: SparseInput.values, shape: shape)
  let tuples = IndexTuples(count: count, depth: depth, of: shape, elementSize: y.elementSize)
  let fill = StridedCopy(filling: y)
  return { [node = p.node] e throws(InferenceError) in
    do throws(IndexOutOfRange) {
      try tuples.check(e[indices])
    } catch {
      throw error.error(node: node, input: SparseInput.indices)
    }
    fill(from: e[rest], to: e[y])
    Reference.scatter(
      e[values], isScalar: values.shape.rank == 0, e[indices], tuples, size: y.elementSize,
      into: e[y])
  }
}
