import Testing

@testable import MartletBase

@Suite struct ShapeTests {
  @Test(arguments: [
    ([], 1), ([5], 5), ([1, 224, 224, 3], 150528), ([2, 0, 3], 0), ([1, 2, 1, 2, 1, 2, 1, 2], 16),
    ([1 << 27, 1 << 27], 1 << 54), ([1 << 27, 0, 1 << 27], 0),
  ])
  func multipliesItsExtents(extents: [Int], count: Int) throws {
    let shape = try #require(Shape(checking: extents))
    #expect(shape.rank == extents.count)
    #expect(shape.elementCount == count)
    #expect(shape.dimensions == extents)
    #expect(extents.indices.allSatisfy { shape[$0] == extents[$0] })
  }

  @Test(arguments: [
    [-1], [1 << 31], [1, 1, 1, 1, 1, 1, 1, 1, 1], [1 << 30, 1 << 30, 1 << 30],
    // A zero makes the product 0, but not the strides.
    [0, 1 << 30, 1 << 30, 1 << 30], [1 << 28, 0, 1 << 28],
  ])
  func refusesInvalidExtents(extents: [Int]) {
    #expect(Shape(checking: extents) == nil)
  }

  @Test func equalsByItsExtents() {
    #expect(Shape(2, 3) == Shape([2, 3]))
    #expect(Shape(2, 3) != Shape(3, 2))
    #expect(Shape(2) != Shape(2, 1))
  }

  @Test func multipliesARangeOfAxes() {
    let shape = Shape(2, 3, 5, 7)
    #expect(shape.product(1..<3) == 15)
    #expect(shape.product(0..<4) == 210)
    #expect(shape.product(2..<2) == 1)
  }

  @Test(arguments: [(0, 0), (2, 2), (-1, 2), (-3, 0), (3, nil), (-4, nil)] as [(Int, Int?)])
  func countsAxesFromBothEnds(index: Int, axis: Int?) {
    #expect(Shape(2, 3, 5).axis(index) == axis)
  }

  @Test func printsItsExtents() {
    #expect(Shape(1, 224, 3).description == "[1, 224, 3]")
    #expect(Shape([]).description == "[]")
  }
}
