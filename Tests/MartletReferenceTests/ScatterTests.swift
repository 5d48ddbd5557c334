import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct ScatterTests {
  private let matrix = IndexTuples(count: 2, depth: 2, of: Shape(2, 3), elementSize: 1)

  @Test func sumsInIndexOrder() throws {
    let sums = try combined([Float(1e8), 1, -1e8], [Int32(1), 1, 1], 2, of: Float(9)) {
      x, indices, y in
      let tuples = IndexTuples(count: 3, depth: 1, of: Shape(2), elementSize: 1)
      guard let x = x.baseAddress else { return }
      try Reference.scatterSums(UnsafePointer(x), indices, tuples, run: 1, into: y, +)
    }
    // Adding 1 to 1e8 has no effect in single precision.
    #expect(sums == [0, 0])
  }

  @Test func writesSlicesByIndex() throws {
    let y = try combined([1, 2, 3, 4], [Int32(2), 0], 6, of: 9) { x, indices, y in
      let tuples = IndexTuples(count: 2, depth: 1, of: Shape(3, 2), elementSize: 1)
      guard let x = x.baseAddress else { return }
      try Reference.scatterSums(UnsafePointer(x), indices, tuples, run: 2, into: y, +)
    }
    #expect(y == [3, 4, 0, 0, 1, 2])
  }

  @Test(arguments: [[0, 3, 0, 0], [0, 0, 2, 0], [0, 0, -1, 0], [Int64.min, 0, 0, 0]])
  func throwsForIndicesOutOfRangeBeforeWriting(_ indices: [Int64]) {
    var y = [UInt8](repeating: 9, count: 6)
    #expect(throws: IndexOutOfRange.self) {
      try withIndices(indices) { indices in
        try y.withUnsafeMutableBufferPointer { y in
          try [UInt8(1), 1].withUnsafeBufferPointer { x in
            guard let x = x.baseAddress else { return }
            try Reference.scatterSums(x, indices, matrix, run: 1, into: y, &+)
          }
        }
      }
    }
    #expect(y == [9, 9, 9, 9, 9, 9])
  }

  private func withIndices(
    _ indices: [Int64], _ body: (UnsafeMutableBufferPointer<Int64>) throws -> Void
  ) rethrows {
    var indices = indices
    try indices.withUnsafeMutableBufferPointer { try body($0) }
  }

  @Test func lastOfSameIndexStays() {
    let y = combined([UInt8(5), 6], [Int32(0), 1, 0, 1], 6, of: UInt8(9)) { x, indices, y in
      guard let x = x.baseAddress, let y = y.baseAddress else { return }
      Reference.scatter(x, isScalar: false, indices, matrix, size: 1, into: y)
    }
    #expect(y == [9, 6, 9, 9, 9, 9])
  }

  @Test func scattersScalarEverywhere() {
    let y = combined([UInt8(5)], [Int32(0), 1, 1, 2], 6, of: UInt8(9)) { x, indices, y in
      guard let x = x.baseAddress, let y = y.baseAddress else { return }
      Reference.scatter(x, isScalar: true, indices, matrix, size: 1, into: y)
    }
    #expect(y == [9, 5, 9, 9, 9, 5])
  }
}
