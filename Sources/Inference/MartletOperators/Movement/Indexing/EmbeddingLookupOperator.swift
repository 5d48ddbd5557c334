//===--- EmbeddingLookupOperator.swift - EMBEDDING_LOOKUP -----------------===//
//
// Inputs  0 indices: int32, [n], rows of the table; 1 table: [rows, ...], any type
// Output  0 y: [n, ...], the table's type; or float32 if the table has 8 bits or fewer, zero
//         points of 0, and one scale or one for each row.
// Source  LiteRT 2.3.0 `embedding_lookup.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let indices = 0
  static let table = 1
}

extension Registration {
  static let embeddingLookup = Registration(
    .embeddingLookup, versions: 1...5
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    try p.shape(ofInput: Input.indices, ranks: 1...1)
    try p.shape(ofInput: Input.table, ranks: 2...Shape.maximumRank)
    if try p.output(0).type == .float32, try p.input(Input.table).type != .float32 {
      return try prepareHybridLookup(&p)
    }
    let indices = try p.input(Input.indices, as: Int32.self)
    let table = try p.inputBytes(Input.table)
    let y = try p.outputBytes(0, typedAs: Input.table, shape: try p.lookupShape())
    let extents = GatherExtents(
      batches: 1, outer: 1, axis: table.shape[0], indices: indices.count,
      run: table.shape.product(1..<table.shape.rank) * table.elementSize)
    return p.evaluation(withIndicesIn: Input.indices) { e throws(IndexOutOfRange) in
      try Reference.gather(e[table], e[indices], extents, into: e[y])
    }
  }
}

extension Preparation {
  /// The extents of the selected rows.
  fileprivate func lookupShape() throws(InferenceError) -> Shape {
    try shape(
      [try input(Input.indices).shape[0]] + (try input(Input.table)).shape.dimensions.dropFirst())
  }

  /// The scales of the table: one, or one for each row.
  fileprivate func tableScales(_ table: TensorInfo) throws(InferenceError) -> [Float] {
    guard let map = table.quantization,
      map.isPerTensor || (map.axis == 0 && map.scales.count == table.shape[0])
    else { throw .quantization(node: node, operand: .input(Input.table)) }
    try check(map, of: table, at: .input(Input.table), isFactor: true)
    guard map.zeroPoint == 0 else {
      throw .zeroPoint(
        node: node, operand: .input(Input.table), found: map.zeroPoint, expected: 0...0)
    }
    return map.scales
  }
}

private func prepareHybridLookup(_ p: inout Preparation) throws(InferenceError) -> Evaluate {
  try p.expectType([.uint8, .int8], input: Input.table)
  let indices = try p.input(Input.indices, as: Int32.self)
  let info = try p.input(Input.table)
  let scales = try p.tableScales(info)
  let table = Operand<Int8>(slot: info.index, shape: info.shape)
  let y = try p.output(0, as: Float.self, shape: try p.lookupShape())
  let rows = info.shape[0]
  let run = info.shape.product(1..<info.shape.rank)
  let inByte = 8 / info.declaredType.bitWidth
  return p.evaluation(withIndicesIn: Input.indices) { e throws(IndexOutOfRange) in
    try Reference.lookUp(
      e[indices], in: e[table], rows: rows, run: run, inByte: inByte, scales: scales, into: e[y])
  }
}
