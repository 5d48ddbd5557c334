//===--- SparseLookupOperator.swift - EMBEDDING_LOOKUP_SPARSE -------------===//
//
// Inputs  0 ids: int32, [n], rows of the table; 1 indices: int32, [n, axes], the position of each
//         id in the sparse tensor; 2 the extents of that tensor: int32, [axes]; 3 weights: float32,
//         [n];
//         4 table: float32, [rows, ...]
// Output  0 y: float32, the extents except the last, then those of a row of the table.
// Options EmbeddingLookupSparseOptions: how the rows of one position are combined.
// Source  LiteRT 2.3.0 `embedding_lookup_sparse.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let ids = 0
  static let indices = 1
  static let extents = 2
  static let weights = 3
  static let table = 4
}

extension Registration {
  static let embeddingLookupSparse = Registration(
    .embeddingLookupSparse, versions: 1...1
  ) { p throws(InferenceError) in
    try p.expect(inputs: 5...5)
    guard case .embeddingLookupSparse(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    try p.shape(ofInput: Input.ids, ranks: 1...1)
    let ids = try p.input(Input.ids, as: Int32.self)
    let tuples = try p.shape(ofInput: Input.indices, ranks: 2...2)
    try p.expect(tuples, ofInput: Input.indices, axis: 0, extent: ids.count)
    let indices = try p.input(Input.indices, as: Int32.self)
    let weights = try p.input(Input.weights, as: Float.self, count: ids.count)
    let row = try p.shape(ofInput: Input.table, ranks: 2...Shape.maximumRank)
    let table = try p.input(Input.table, as: Float.self)
    let extents = try p.sparseExtents(axes: tuples[1])
    let y = try p.output(
      0, as: Float.self, shape: try p.shape(extents + row.dimensions.dropFirst()))
    let places = try p.scratch(ids.count, as: Int64.self)
    let combiner = RowCombiner(options.combiner)
    let run = row.product(1..<row.rank)
    p.state(work: saturatingProduct(ids.count, run))
    return { [node = p.node] e throws(InferenceError) in
      do throws(IndexOutOfRange) {
        try Reference.sparsePlaces(e[indices], extents: extents, into: e[places])
      } catch {
        throw error.error(node: node, input: Input.indices)
      }
      do throws(IndexOutOfRange) {
        try Reference.lookUpSparse(
          e[ids], places: e[places], weights: e[weights], in: e[table], rows: row[0], run: run,
          combiner: combiner, into: e[y])
      } catch {
        throw error.error(node: node, input: Input.ids)
      }
    }
  }
}

extension Preparation {
  /// The extents of the sparse tensor except the last axis, along which ids are combined.
  fileprivate func sparseExtents(axes: Int) throws(InferenceError) -> [Int] {
    try expectType([.int32], input: Input.extents)
    guard axes > 0 else {
      throw .extent(node: node, operand: .input(Input.indices), axis: 1, found: 0, expected: 1)
    }
    try expectCount(axes, input: Input.extents)
    return try integers(of: Input.extents).dropLast()
  }
}

extension RowCombiner {
  fileprivate init(_ combiner: Combiner) {
    self =
      switch combiner {
      case .sum: .sum
      case .mean: .mean
      case .sqrtN: .squareRoot
      }
  }
}
