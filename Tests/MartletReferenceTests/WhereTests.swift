import MartletTestSupport
import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct WhereTests {
  private func coordinates(_ x: [Float], _ shape: Shape, count: Int) -> [Int64] {
    filled(count * shape.rank, with: -1) { y in
      withBuffer(x) { Reference.coordinates($0, shape, into: y) { $0 != 0 } }
    }
  }

  @Test func listsCoordinatesInOrder() {
    #expect(
      coordinates([0, 1, 0, 0, 2, 3], Shape(2, 3), count: 3) == [0, 1, 1, 1, 1, 2])
  }

  @Test func nanIsTrueAndBothZerosAreFalse() {
    #expect(coordinates([0, -0.0, .nan], Shape(3), count: 1) == [2])
  }

  @Test func doesNotWriteBeyondTheRows() {
    let y = filled(6, with: Int64(-1)) { y in
      withBuffer([Float](repeating: 1, count: 4)) { x in
        let room = UnsafeMutableBufferPointer(rebasing: y[..<4])
        Reference.coordinates(x, Shape(2, 2), into: room) { $0 != 0 }
      }
    }
    #expect(y == [0, 0, 0, 1, -1, -1])
  }

  @Test func emptyInputHasNoCoordinates() {
    #expect(coordinates([], Shape(2, 0), count: 0) == [])
  }
}
