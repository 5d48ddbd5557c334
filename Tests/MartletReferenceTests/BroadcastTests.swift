import MartletBase
import MartletReference
import Testing

@Suite struct BroadcastTests {
  /// The sum of `0, 1, 2...` in one shape and `0, 100, 200...` in another, computed index by index.
  private func expected(_ a: [Int], _ b: [Int], _ y: [Int]) -> [Int] {
    func value(_ index: [Int], _ shape: [Int], _ step: Int) -> Int {
      var offset = 0
      for (axis, extent) in shape.enumerated() {
        let position = index[axis + index.count - shape.count]
        offset = offset * extent + (extent == 1 ? 0 : position)
      }
      return offset * step
    }
    var indices: [[Int]] = [[]]
    for extent in y { indices = indices.flatMap { head in (0..<extent).map { head + [$0] } } }
    return indices.map { value($0, a, 1) + value($0, b, 100) }
  }

  @Test(
    arguments: [
      ([2, 3], [2, 3], [2, 3]), ([2, 3], [], [2, 3]), ([], [2, 3], [2, 3]),
      ([1, 4, 5, 3], [3], [1, 4, 5, 3]), ([1, 4, 1, 3], [1, 1, 5, 3], [1, 4, 5, 3]),
      ([2, 1, 3, 1, 2], [1, 4, 1, 2, 2], [2, 4, 3, 2, 2]), ([4, 1], [1, 3], [4, 3]),
      ([1], [1], [1]), ([], [], []), ([2, 3, 1], [2, 3, 4], [2, 3, 4]), ([0, 3], [3], [0, 3]),
      ([1, 2, 1, 2, 1, 2], [2, 1, 2, 1, 2, 1], [2, 2, 2, 2, 2, 2]),
    ] as [([Int], [Int], [Int])])
  func visitsElementsByIndex(_ a: [Int], _ b: [Int], _ y: [Int]) throws {
    let left = Shape(a)
    let right = Shape(b)
    let shape = try left.broadcast(with: right)
    #expect(shape.dimensions == y)
    var lhs = (0..<left.elementCount).map { Int32($0) }
    var rhs = (0..<right.elementCount).map { Int32($0 * 100) }
    var result = [Int32](repeating: -1, count: shape.elementCount)
    let walk = Broadcast([left, right], over: shape)
    lhs.withUnsafeMutableBufferPointer { lhs in
      rhs.withUnsafeMutableBufferPointer { rhs in
        result.withUnsafeMutableBufferPointer { walk.combine(lhs, rhs, into: $0) { $0 + $1 } }
      }
    }
    #expect(result.map { Int($0) } == expected(a, b, y))
  }

  @Test func errorNamesTheMismatchedAxis() {
    #expect(throws: BroadcastMismatch.extents(axis: 1, found: 3, expected: 4)) {
      try Shape(2, 4, 5).broadcast(with: Shape(3, 5))
    }
  }

  @Test func rejectsResultsTooLarge() {
    let side = 1 << 27
    #expect(throws: BroadcastMismatch.tooLarge) {
      try Shape(side, 1, side).broadcast(with: Shape(side, 1))
    }
  }
}
