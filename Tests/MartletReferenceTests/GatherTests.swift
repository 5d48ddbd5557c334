@testable import MartletReference
@testable import MartletBase
import Testing

@Suite struct GatherTests {
  private func gather(
    _ x: [UInt8], _ indices: [Int32], _ extents: GatherExtents
  ) throws -> [UInt8] {
    let count = extents.batches * extents.outer * extents.indices * extents.run
    return try combined(x, indices, count, of: UInt8(0xEE)) { x, indices, y in
      guard let x = x.baseAddress, let y = y.baseAddress else { return }
      try Reference.gather(x, indices, extents, into: y)
    }
  }

  @Test func gathersSlicesByIndex() throws {
    // [2, 3] along axis 1, then [3, 2] along axis 0.
    let columns = GatherExtents(batches: 1, outer: 2, axis: 3, indices: 2, run: 1)
    #expect(try gather([1, 2, 3, 4, 5, 6], [2, 0], columns) == [3, 1, 6, 4])
    let rows = GatherExtents(batches: 1, outer: 1, axis: 3, indices: 2, run: 2)
    #expect(try gather([1, 2, 3, 4, 5, 6], [2, 2], rows) == [5, 6, 5, 6])
  }

  @Test func usesTheIndicesOfEachBatch() throws {
    let extents = GatherExtents(batches: 2, outer: 1, axis: 3, indices: 1, run: 1)
    #expect(try gather([1, 2, 3, 4, 5, 6], [1, 2], extents) == [2, 6])
  }

  @Test(arguments: [3, -1, Int32.max, Int32.min])
  func throwsForIndicesOutOfRange(_ index: Int32) {
    let extents = GatherExtents(batches: 1, outer: 1, axis: 3, indices: 2, run: 2)
    #expect(throws: IndexOutOfRange(found: Int(index), limit: 3)) {
      try gather([1, 2, 3, 4, 5, 6], [0, index], extents)
    }
  }

  @Test func gathersElementsByTuples() throws {
    let found = try combined([UInt8](1...6), [Int64(1), 2, 0, 0], 2, of: UInt8(0)) {
      x, indices, y in
      guard let x = x.baseAddress, let y = y.baseAddress else { return }
      let tuples = IndexTuples(count: 2, depth: 2, of: Shape(2, 3), elementSize: 1)
      try Reference.gatherND(x, indices, tuples, run: 1, into: y)
    }
    #expect(found == [6, 1])
  }
}
