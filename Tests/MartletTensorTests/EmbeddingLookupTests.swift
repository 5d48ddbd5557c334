import Testing

@testable import MartletTensor

@Suite struct EmbeddingLookupTests {
  private func lookUp(
    _ indices: [Int32], _ table: [UInt8], rows: Int, run: Int, bitWidth: Int, scales: [Float]
  ) throws -> [Float] {
    try combined(table, indices, indices.count * run, of: Float.nan) { table, indices, y in
      guard let table = table.baseAddress else { return }
      try Reference.lookUp(
        indices, in: table, rows: rows, run: run, bitWidth: bitWidth, scales: scales, into: y)
    }
  }

  @Test func scalesBytes() throws {
    #expect(
      try lookUp([1, 0], [1, 0xff, 0x80, 0x7f], rows: 2, run: 2, bitWidth: 8, scales: [0.5])
        == [-64, 63.5, 0.5, -0.5])
  }

  @Test func eachRowHasItsScale() throws {
    #expect(
      try lookUp([1, 0, 1], [1, 1], rows: 2, run: 1, bitWidth: 8, scales: [2, 3]) == [3, 2, 3])
  }

  @Test func nibblesComeLowestFirst() throws {
    #expect(
      try lookUp([0, 1], [0x8f, 0x07, 0x21, 0x03], rows: 2, run: 4, bitWidth: 4, scales: [1])
        == [-1, -8, 7, 0, 1, 2, 3, 0])
  }

  @Test func quartersComeLowestFirst() throws {
    #expect(
      try lookUp([0], [0b11_10_01_00], rows: 1, run: 4, bitWidth: 2, scales: [2])
        == [0, 2, -4, -2])
  }

  @Test func anOddRowBeginsInTheByteOfItsFirstElement() throws {
    // Three nibbles a row: the second row begins in the second byte, at its lower half.
    #expect(
      try lookUp([1], [0x21, 0x43, 0x65], rows: 2, run: 3, bitWidth: 4, scales: [1]) == [3, 4, 5])
  }

  @Test(arguments: [2, -1, Int32.max, Int32.min])
  func throwsForIndicesOutOfRange(_ index: Int32) {
    #expect(throws: IndexOutOfRange(found: Int(index), limit: 2)) {
      try lookUp([0, index], [1, 2], rows: 2, run: 1, bitWidth: 8, scales: [1])
    }
  }
}
