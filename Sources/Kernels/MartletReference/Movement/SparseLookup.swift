//===--- SparseLookup.swift - combined rows of a table --------------------===//
//
// y[position] = combination over the ids of that position: weight · table[id]
//
// Contract  TFLite EMBEDDING_LOOKUP_SPARSE. Ids of a position are consecutive; a position that
//           occurs again is divided again. Positions without ids are zero.
// Order     Products are added in the order of the ids, and divided at the end.
// Cost      ids · run.
//===----------------------------------------------------------------------===//

/// The combination of the rows of one position.
package enum RowCombiner: Sendable {
  case sum
  /// The sum divided by the sum of the weights.
  case mean
  /// The sum divided by the root of the sum of the weights' squares.
  case squareRoot

  fileprivate func divisor(weights: Float, squares: Float) -> Float? {
    switch self {
    case .sum: nil
    case .mean: weights
    case .squareRoot: squares.squareRoot()
    }
  }
}

extension Reference {
  /// The position of each tuple of `extents.count + 1` indices; the last index is ignored.
  package static func sparsePlaces(
    _ indices: UnsafeMutableBufferPointer<Int32>, extents: [Int],
    into places: UnsafeMutableBufferPointer<Int64>
  ) throws(IndexOutOfRange) {
    for i in places.indices {
      var place = 0
      for (axis, extent) in extents.enumerated() {
        let index = Int(indices[i * (extents.count + 1) + axis])
        guard index >= 0, index < extent else {
          throw IndexOutOfRange(found: index, limit: extent)
        }
        place = place * extent + index
      }
      places[i] = Int64(place)
    }
  }

  /// Combines rows of `run` elements of a table of `rows` rows.
  package static func lookUpSparse(
    _ ids: UnsafeMutableBufferPointer<Int32>, places: UnsafeMutableBufferPointer<Int64>,
    weights: UnsafeMutableBufferPointer<Float>, in table: UnsafeMutableBufferPointer<Float>,
    rows: Int, run: Int, combiner: RowCombiner, into output: UnsafeMutableBufferPointer<Float>
  ) throws(IndexOutOfRange) {
    for i in output.indices { output[i] = 0 }
    var total: Float = 0
    var squares: Float = 0
    for i in ids.indices {
      let id = Int(ids[i])
      guard id >= 0, id < rows else { throw IndexOutOfRange(found: id, limit: rows) }
      let first = Int(places[i]) * run
      for k in 0..<run { output[first + k] += table[id * run + k] * weights[i] }
      total += weights[i]
      squares += weights[i] * weights[i]
      guard i + 1 == ids.count || places[i + 1] != places[i] else { continue }
      if let divisor = combiner.divisor(weights: total, squares: squares) {
        for k in 0..<run { output[first + k] /= divisor }
      }
      (total, squares) = (0, 0)
    }
  }
}
