import Testing

@testable import MartletReference

@Suite struct EmbeddingLookupTests {
  private func lookUp(
    _ indices: [Int32], _ table: [Int8], rows: Int, run: Int, inByte: Int = 1, scales: [Float]
  ) throws -> [Float] {
    try combined(table, indices, indices.count * run, of: Float.nan) { table, indices, y in
      try Reference.lookUp(
        indices, in: table, rows: rows, run: run, inByte: inByte, scales: scales, into: y)
    }
  }

  @Test func scalesBytes() throws {
    #expect(
      try lookUp([1, 0], [1, -1, -128, 127], rows: 2, run: 2, scales: [0.5])
        == [-64, 63.5, 0.5, -0.5])
  }

  @Test func eachRowHasItsScale() throws {
    #expect(
      try lookUp([1, 0, 1], [1, 1], rows: 2, run: 1, scales: [2, 3]) == [3, 2, 3])
  }

  @Test func rowStartsAtByteOfFirstElement() throws {
    // Three nibbles per row: the second row begins in the upper half of the second byte.
    #expect(
      try lookUp([1, 0], [1, 2, 3, 4, 5, 6], rows: 2, run: 3, inByte: 2, scales: [1])
        == [3, 4, 5, 1, 2, 3])
  }

  @Test(arguments: [2, -1, Int32.max, Int32.min])
  func throwsForIndicesOutOfRange(_ index: Int32) {
    #expect(throws: IndexOutOfRange(found: Int(index), limit: 2)) {
      try lookUp([0, index], [1, 2], rows: 2, run: 1, scales: [1])
    }
  }
}
