import MartletTestSupport
import Testing

@testable import MartletBase
@testable import MartletReference

@Suite struct IndexedSlicesTests {
  /// Adds slices of 1, 2, 3... to zeros.
  private func scattered(_ slices: IndexedSlices, _ indices: [Int64], count: Int, into size: Int)
    -> [Int]
  {
    filled(size, with: 0) { y in
      withBuffer(indices) { indices in
        withBuffer(Array(1...count)) { x in
          guard let x = x.baseAddress, let y = y.baseAddress else { return }
          slices.scatter(x, indices, into: y, +)
        }
      }
    }
  }

  private func gathered(_ slices: IndexedSlices, _ indices: [Int64], from size: Int, count: Int)
    -> [Int]
  {
    filled(count, with: -1) { y in
      withBuffer(indices) { indices in
        withBuffer(Array(0..<size)) { x in
          guard let x = x.baseAddress, let y = y.baseAddress else { return }
          slices.gather(x, indices, into: y)
        }
      }
    }
  }

  /// Two rows of two elements, each at a position in [3, 3].
  private let boxes = IndexedSlices(
    slices: Shape(2, 1, 2), axes: [.index(0), .slice(operand: 0), .slice(operand: 1)],
    operand: Shape(3, 3), indices: Shape(2, 2), vectorAxis: 1, components: [0, 1])

  @Test func leavesOutElementsOutsideTheOperand() {
    #expect(
      scattered(boxes, [0, -1, 2, 2], count: 4, into: 9) == [2, 0, 0, 0, 0, 0, 0, 0, 3])
    #expect(scattered(boxes, [1, 1, 3, 0], count: 4, into: 9) == [0, 0, 0, 0, 1, 2, 0, 0, 0])
  }

  @Test func extremeIndicesLieOutside() {
    for index in [Int64.min, .max, Int64(Int32.min), Int64(Int32.max)] {
      #expect(
        scattered(boxes, [index, 0, 0, index], count: 4, into: 9) == [Int](repeating: 0, count: 9))
    }
  }

  @Test func repeatedPositionsCombine() {
    #expect(scattered(boxes, [0, 0, 0, 1], count: 4, into: 9) == [1, 5, 4, 0, 0, 0, 0, 0, 0])
  }

  // Each index is a vector of its own: the index tensor has one axis.
  @Test func indicesMayBeVectorsOfOne() {
    let columns = IndexedSlices(
      slices: Shape(2, 3), axes: [.slice(operand: 0), .index(0)], operand: Shape(2, 4),
      indices: Shape(3), vectorAxis: 1, components: [1])
    #expect(scattered(columns, [3, 0, 3], count: 6, into: 8) == [2, 0, 0, 4, 5, 0, 0, 10])
  }

  @Test func vectorsMayLieAlongTheFirstAxis() {
    let elements = IndexedSlices(
      slices: Shape(2), axes: [.index(1)], operand: Shape(2, 3), indices: Shape(2, 2),
      vectorAxis: 0, components: [1, 0])
    // Column 2 of row 1, and column 0 of row 1.
    #expect(scattered(elements, [2, 0, 1, 1], count: 2, into: 6) == [0, 0, 0, 2, 0, 1])
  }

  @Test func gatheredSlicesAreMovedInside() {
    let rows = IndexedSlices(
      slices: Shape(3, 2), axes: [.index(0), .slice(operand: 1)], operand: Shape(2, 4),
      indices: Shape(3, 2), vectorAxis: 1, components: [0, 1], sliceExtents: [1, 2])
    #expect(
      gathered(rows, [0, 1, 1, 3, Int64.max, Int64.min], from: 8, count: 6) == [1, 2, 6, 7, 4, 5])
  }

  @Test func scalarsAreSlices() {
    let all = IndexedSlices(
      slices: Shape(), axes: [], operand: Shape(3), indices: Shape(), vectorAxis: 0,
      components: [0])
    #expect(scattered(all, [2], count: 1, into: 3) == [0, 0, 1])
  }
}
