import MartletTestSupport
import Testing

@testable import MartletVision

@Suite struct LumaPlaneTests {
  private static let (width, height) = (72, 56)

  private func levels(seed: UInt64, mask: UInt8 = .max) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    return (0..<(Self.width * Self.height)).map { _ in
      UInt8(truncatingIfNeeded: random.next() >> 40) & mask
    }
  }

  private func plane(_ levels: [UInt8]) -> LumaPlane {
    LumaPlane(width: Self.width, height: Self.height, levels: levels)
  }

  /// The first position with the least difference, by exhaustive search.
  private func expected(
    _ levels: [UInt8], _ earlier: [UInt8], left: Int, top: Int, reach: Int
  ) -> (column: Int, row: Int) {
    var best = (column: 0, row: 0, difference: Int.max)
    for row in max(top - reach, 0)...min(top + reach, Self.height - 16) {
      for column in max(left - reach, 0)...min(left + reach, Self.width - 16) {
        var difference = 0
        for y in 0..<16 {
          for x in 0..<16 {
            difference += abs(
              Int(levels[(top + y) * Self.width + left + x])
                - Int(earlier[(row + y) * Self.width + column + x]))
          }
        }
        if difference < best.difference { best = (column, row, difference) }
      }
    }
    return (best.column, best.row)
  }

  /// Frames of noise, frames with few levels (which causes ties), and equal frames.
  @Test(arguments: [(1, 2, 255), (3, 4, 1), (5, 5, 255), (6, 7, 192)] as [(UInt64, UInt64, UInt8)])
  func findsFirstPositionOfLeastDifference(_ seed: UInt64, _ other: UInt64, _ mask: UInt8) {
    let now = levels(seed: seed, mask: mask)
    let before = levels(seed: other, mask: mask)
    for top in stride(from: 0, through: Self.height - 16, by: 8) {
      for left in stride(from: 0, through: Self.width - 16, by: 8) {
        let place = expected(now, before, left: left, top: top, reach: 7)
        let found = plane(now).match(
          left: left, top: top, in: plane(before), reach: 7, expectedX: 0, expectedY: 0)
        guard let found else { continue }
        #expect((found.dx - Float(place.column - left)).magnitude <= 0.5)
        #expect((found.dy - Float(place.row - top)).magnitude <= 0.5)
      }
    }
  }

  @Test func returnsNilIfBestMatchIsAtTheEdge() throws {
    let now = levels(seed: 9)
    // All content moves by seven pixels.
    let before = (0..<now.count).map { now[max($0 - 7, 0)] }
    let found = plane(now).match(
      left: 24, top: 24, in: plane(before), reach: 7, expectedX: 0, expectedY: 0)
    #expect(found == nil)
    let match = plane(now).match(
      left: 24, top: 24, in: plane(before), reach: 7, expectedX: 3, expectedY: 0)
    let place = try #require(match)
    #expect((place.dx - 7).magnitude < 0.5 && place.dy.magnitude < 0.5)
  }
}
