import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct SparseLookupTests {
  /// Rows (1, 2) and (10, 20) for three lookups.
  private func lookUp(
    _ ids: [Int32], places: [Int64], weights: [Float], _ combiner: RowCombiner
  ) throws -> [Float] {
    try combined(ids, weights, 6, of: Float.nan) { ids, weights, y in
      var places = places
      var table: [Float] = [1, 2, 10, 20]
      try places.withUnsafeMutableBufferPointer { places in
        try table.withUnsafeMutableBufferPointer { table in
          try Reference.lookUpSparse(
            ids, places: places, weights: weights, in: table, rows: 2, run: 2,
            combiner: combiner, into: y)
        }
      }
    }
  }

  @Test func addsOrDividesByWeights() throws {
    let ids: [Int32] = [0, 1, 1]
    let places: [Int64] = [0, 0, 2]
    let weights: [Float] = [3, 4, 2]
    #expect(
      try lookUp(ids, places: places, weights: weights, .sum) == [43, 86, 0, 0, 20, 40])
    #expect(
      try lookUp(ids, places: places, weights: weights, .mean)
        == [43 / 7, 86 / 7, 0, 0, 10, 20])
    #expect(
      try lookUp(ids, places: places, weights: weights, .squareRoot)
        == [8.6, 17.2, 0, 0, 10, 20])
  }

  @Test func dividesRepeatedIndexAgain() throws {
    #expect(
      try lookUp([0, 1, 0], places: [0, 1, 0], weights: [2, 1, 2], .mean)
        == [1.5, 3, 10, 20, 0, 0])
  }

  @Test(arguments: [-1, 2] as [Int32]) func refusesIDsBeyondTheTable(_ id: Int32) {
    #expect(throws: IndexOutOfRange(found: Int(id), limit: 2)) {
      try lookUp([id], places: [0], weights: [1], .sum)
    }
  }

  /// The row numbers of index triples, whose last index is ignored.
  private func places(of tuples: [Int32]) throws -> [Int64] {
    try combined(tuples, [Int32](), tuples.count / 3, of: Int64(-1)) { tuples, _, places in
      try Reference.sparsePlaces(tuples, extents: [2, 3], into: places)
    }
  }

  @Test func rowsAreCountedByAllAxesButTheLast() throws {
    #expect(try places(of: [1, 2, 99, 0, 1, -5]) == [5, 1])
  }

  @Test(arguments: [([1, 3, 0], 3, 3), ([2, 0, 0], 2, 2), ([0, -1, 0], -1, 3)])
  func refusesIndicesBeyondTheExtents(_ tuple: [Int32], _ found: Int, _ limit: Int) {
    #expect(throws: IndexOutOfRange(found: found, limit: limit)) { try places(of: tuple) }
  }
}
