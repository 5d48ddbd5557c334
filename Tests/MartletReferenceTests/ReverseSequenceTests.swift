import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct ReverseSequenceTests {
  private func reversed(
    _ shape: Shape, _ lengths: [Int32], time: Int, batch: Int
  ) throws -> [UInt8] {
    let x = (0..<shape.elementCount).map { UInt8($0) }
    let extents = SequenceExtents(shape, time: time, batch: batch, elementSize: 1)
    return try combined(x, lengths, x.count, of: UInt8(0xEE)) { x, lengths, y in
      guard let x = x.baseAddress, let y = y.baseAddress else { return }
      try Reference.reverseSequences(x, lengths: lengths, extents, into: y)
    }
  }

  @Test func reversesTheBeginningOfEachRow() throws {
    #expect(
      try reversed(Shape(3, 3), [0, 2, 3], time: 1, batch: 0) == [0, 1, 2, 4, 3, 5, 8, 7, 6])
  }

  @Test func reversesTheBeginningOfEachColumn() throws {
    #expect(try reversed(Shape(3, 2), [3, 2], time: 0, batch: 1) == [4, 3, 2, 1, 0, 5])
  }

  @Test func movesWholeSlices() throws {
    #expect(try reversed(Shape(1, 2, 2), [2], time: 1, batch: 0) == [2, 3, 0, 1])
  }

  @Test(arguments: [4, -1, Int32.max, Int32.min])
  func throwsForLengthsOutOfRange(_ length: Int32) {
    #expect(throws: IndexOutOfRange(found: Int(length), limit: 4)) {
      try reversed(Shape(2, 3), [1, length], time: 1, batch: 0)
    }
  }
}
