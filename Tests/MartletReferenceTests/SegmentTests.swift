import Testing

@testable import MartletReference

@Suite struct SegmentTests {
  private func segments(
    _ x: [Int32], _ ids: [Int32], run: Int, count: Int,
    _ combine: (Int32, Int32) -> Int32
  ) throws -> [Int32] {
    try combined(x, ids, count * run, of: -9) { x, ids, y in
      try Reference.combineSegments(
        x, ids: ids, run: run, segments: count, initial: 7, into: y, combine)
    }
  }

  @Test func combinesSlicesOfOneId() throws {
    #expect(
      try segments([1, 2, 3, 4, 5, 6], [2, 0, 2], run: 2, count: 3, &+)
        == [10, 11, 7, 7, 13, 15])
  }

  @Test func ignoresNegativeIDs() throws {
    #expect(try segments([1, 2, 3], [-1, 0, .min], run: 1, count: 1, max) == [7])
    #expect(try segments([1, 20, 3], [-1, 0, .min], run: 1, count: 1, max) == [20])
  }

  @Test func throwsForIdsBeyondTheSegments() {
    #expect(throws: IndexOutOfRange(found: 2, limit: 2)) {
      try segments([1, 2], [0, 2], run: 1, count: 2, max)
    }
  }
}
