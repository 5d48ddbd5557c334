import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct UniqueTests {
  private func unique(_ x: [Float]) -> (values: [Float], indices: [Int64]) {
    var values: [Float] = []
    let indices = filled(x.count, with: Int64(-1)) { indices in
      withBuffer(x) { x in
        withBuffer([Int32](repeating: -1, count: 2 * x.count)) { scratch in
          let order = UnsafeMutableBufferPointer(rebasing: scratch[..<x.count])
          let first = UnsafeMutableBufferPointer(rebasing: scratch[x.count...])
          let count = Reference.firstOccurrences(x, order: order, first: first)
          values = filled(count, with: -1) {
            Reference.unique(x, first: first, into: $0, indices: indices)
          }
        }
      }
    }
    return (values, indices)
  }

  @Test func keepsTheOrderOfFirstOccurrence() {
    let found = unique([3, 1, 3, 2, 1, 3])
    #expect(found.values == [3, 1, 2])
    #expect(found.indices == [0, 1, 0, 2, 1, 0])
  }

  @Test func zerosAreEqualAndTheFirstIsKept() {
    let found = unique([-0.0, 0])
    #expect(found.values.map { $0.sign } == [.minus])
    #expect(found.indices == [0, 0])
  }

  @Test func nansAreEqual() {
    let found = unique([.nan, 1, .infinity, -.nan, 1])
    #expect(found.values.count == 3)
    #expect(found.indices == [0, 1, 2, 0, 1])
  }

  @Test func doesNotWriteBeyondTheValues() {
    let values = filled(3, with: Float(-1)) { values in
      withBuffer([Float]([5, 6, 7])) { x in
        withBuffer([Int32]([0, 1, 2])) { first in
          withBuffer([Int32](repeating: -1, count: 3)) { indices in
            let room = UnsafeMutableBufferPointer(rebasing: values[..<2])
            Reference.unique(x, first: first, into: room, indices: indices)
          }
        }
      }
    }
    #expect(values == [5, 6, -1])
  }

  @Test func emptyInputHasNoValues() {
    #expect(unique([]).values == [])
  }
}
