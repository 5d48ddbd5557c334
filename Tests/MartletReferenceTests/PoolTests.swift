import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct PoolTests {
  /// The mean of two integers, rounded to nearest, ties away from zero.
  @Test(arguments: [(1, 2, 2), (-1, -2, -2), (3, 4, 4), (-3, 0, -2), (-1, 2, 1), (127, 127, 127)])
  func roundsMeans(_ a: Int8, _ b: Int8, _ expected: Int8) throws {
    let window = try plainWindow(rows: 1, columns: 2, height: 1, width: 2)
    let y = filled(1, with: Int8.min) { y in
      withBuffer([a, b]) {
        Reference.averagePool($0, window, depth: 1, clampedTo: -128...127, into: y)
      }
    }
    #expect(y == [expected])
  }

  @Test func meansExcludeThePadding() throws {
    let window = try plainWindow(rows: 1, columns: 3, height: 1, width: 3, same: true)
    let y = filled(3, with: Float.nan) { y in
      withBuffer([3, 5, 10]) {
        Reference.averagePool($0, window, depth: 1, clampedTo: 0...7, into: y)
      }
    }
    #expect(y == [4, 6, 7])
  }

  @Test func l2PoolsExcludeThePadding() throws {
    let window = try plainWindow(rows: 1, columns: 3, height: 1, width: 3, same: true)
    let y = filled(3, with: Float.nan) { y in
      withBuffer([-1, 7, 5]) {
        Reference.l2Pool($0, window, depth: 1, clampedTo: 0...6, into: y)
      }
    }
    #expect(y == [5, 5, 6])
  }

  @Test func findsMaximaOfEachChannel() throws {
    let window = try plainWindow(rows: 2, columns: 2, height: 2, width: 2)
    let y = filled(2, with: Int16.min) { y in
      withBuffer([Int16(1), -9, 7, -3, 2, -5, 3, -4]) {
        Reference.maxPool($0, window, depth: 2, clampedTo: -4...6, into: y)
      }
    }
    #expect(y == [6, -3])
  }
}
