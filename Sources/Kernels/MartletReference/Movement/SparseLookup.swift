//===--- SparseLookup.swift - combined rows of a table --------------------===//
//
// y[place] = combined over the ids of that place: weight · table[id]
//
// Contract  TFLite EMBEDDING_LOOKUP_SPARSE. Ids of one place lie one after the other; a place that is
//           met again is divided again. Places that no id has are zero.
// Order     Products are added in the order of the ids, and divided at the end.
// Cost      ids · run.
// Checked   Tests/MartletReferenceTests/SparseLookupTests.swift, operator cases
//===----------------------------------------------------------------------===//

/// The combination of the rows of one position.
package enum RowCombiner: Sendable {
  case sum
  /// The sum by the sum of weights.
  case mean
  /// The sum by the root of the sum of the weights' squares.
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
  /// The place of each tuple of `extents.count + 1` indices, of which the last does not count.
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
