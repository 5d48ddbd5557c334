import MartletTestSupport
import Testing

@testable import MartletBase
@testable import MartletReference

@Suite struct SpreadPaddingTests {
  private func padded(_ x: [Int16], _ axes: [AxisPadding?]) throws -> [Int16] {
    let axes = try axes.map { try #require($0) }
    let count = axes.reduce(1) { $0 * $1.result }
    let pad = SpreadPadding(axes, elementSize: 2)
    return filled(count, with: Int16(99)) { y in
      withBuffer(x) { x in
        withBuffer([Int16(0)]) { filler in
          guard let x = x.baseAddress, let filler = filler.baseAddress, let y = y.baseAddress
          else { return }
          pad(x, filler: filler, into: y)
        }
      }
    }
  }

  @Test func fillsAroundAndBetweenElements() throws {
    let y = try padded(
      [1, 2, 3, 4],
      [
        AxisPadding(input: 2, before: 1, after: 0, spacing: 2),
        AxisPadding(input: 2, before: 0, after: 1, spacing: 3),
      ])
    #expect(
      y == [
        0, 0, 0, 0, 0,
        1, 0, 0, 2, 0,
        0, 0, 0, 0, 0,
        3, 0, 0, 4, 0,
      ])
  }

  // By hand: the spread elements, then cropped.
  static let paddings: [(Int, Int, Int, [Int16])] = [
    (-1, 0, 1, [2, 3, 4, 5]), (0, -2, 1, [1, 2, 3]), (-1, -1, 2, [0, 2, 0, 3, 0, 4, 0]),
    (-2, -3, 3, [0, 2, 0, 0, 3, 0, 0, 4]), (-4, 2, 1, [5, 0, 0]), (-5, 2, 1, [0, 0]),
    (-9, 5, 1, [0]), (2, -9, 1, []), (1, -7, 2, [0, 1, 0]), (-3, -2, 1, []),
  ]

  @Test(arguments: paddings)
  func negativePaddingRemovesElements(
    _ before: Int, _ after: Int, _ spacing: Int, _ expected: [Int16]
  ) throws {
    let axis = AxisPadding(input: 5, before: before, after: after, spacing: spacing)
    guard 5 + (spacing - 1) * 4 + before + after >= 0 else { return #expect(axis == nil) }
    #expect(try padded([1, 2, 3, 4, 5], [axis]) == expected)
  }

  @Test func refusesImpossibleExtents() {
    let big = Int(Int32.max)
    #expect(AxisPadding(input: 5, before: -3, after: -3, spacing: 1) == nil)
    #expect(AxisPadding(input: 5, before: big, after: 0, spacing: 1) == nil)
    #expect(AxisPadding(input: big, before: 0, after: 0, spacing: big) == nil)
    #expect(AxisPadding(input: 0, before: 0, after: 0, spacing: big)?.result == 0)
    #expect(AxisPadding(input: 0, before: 2, after: 1, spacing: 7)?.result == 3)
  }

  @Test func emptyInputsAreFilled() throws {
    #expect(
      try padded([], [AxisPadding(input: 0, before: 1, after: 1, spacing: 4)]) == [0, 0])
  }

  @Test func tellsWhetherAnythingChanges() {
    #expect(AxisPadding(input: 5, before: 0, after: 0, spacing: 1)?.isIdentity == true)
    #expect(AxisPadding(input: 1, before: 0, after: 0, spacing: 9)?.isIdentity == true)
    #expect(AxisPadding(input: 5, before: -1, after: 1, spacing: 1)?.isIdentity == false)
    #expect(AxisPadding(input: 5, before: 0, after: 0, spacing: 2)?.isIdentity == false)
  }
}
