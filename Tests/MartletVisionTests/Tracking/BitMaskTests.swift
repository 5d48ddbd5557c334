import MartletImage
import MartletTestSupport
import Testing

@testable import MartletVision

@Suite struct BitMaskTests {
  /// A mask from rows of text; `#` sets a pixel.
  private func mask(_ rows: [String]) -> BitMask {
    var mask = BitMask(width: rows[0].count, height: rows.count)
    for (y, row) in rows.enumerated() {
      for (x, mark) in row.enumerated() where mark == "#" { mask[x, y] = true }
    }
    return mask
  }

  @Test func closingFillsGapsAndKeepsTheRest() {
    var closed = mask(["........", ".##..##.", ".##..##.", "........", "........"])
    closed.close(radius: 1)
    #expect(closed == mask(["........", ".######.", ".######.", "........", "........"]))
  }

  @Test func gapWiderThanTwiceTheRadiusStays() {
    let rows = [".........", ".#...#...", "........."]
    var closed = mask(rows)
    closed.close(radius: 1)
    #expect(closed == mask(rows))
  }

  /// Reference closing per pixel: square dilation, also beyond the edges, then square erosion.
  private func closed(_ mask: BitMask, radius: Int) -> BitMask {
    func isNear(_ x: Int, _ y: Int, _ isMarked: (Int, Int) -> Bool) -> Bool {
      (y - radius...y + radius).contains { y in
        (x - radius...x + radius).contains { isMarked($0, y) }
      }
    }
    func isGrown(_ x: Int, _ y: Int) -> Bool {
      isNear(x, y) { x, y in
        x >= 0 && x < mask.width && y >= 0 && y < mask.height && mask[x, y]
      }
    }
    var result = BitMask(width: mask.width, height: mask.height)
    for y in 0..<mask.height {
      for x in 0..<mask.width { result[x, y] = !isNear(x, y) { !isGrown($0, $1) } }
    }
    return result
  }

  @Test(arguments: [(1, 1), (5, 3), (16, 9), (17, 20), (40, 11)], [1, 2, 3, 5])
  func closingMatchesReference(_ size: (width: Int, height: Int), radius: Int) {
    var random = SplitMix64(seed: UInt64(size.width * radius))
    var mask = BitMask(width: size.width, height: size.height)
    for y in 0..<size.height {
      for x in 0..<size.width { mask[x, y] = random.next() % 12 == 0 }
    }
    let expected = closed(mask, radius: radius)
    mask.close(radius: radius)
    #expect(mask == expected)
  }

  @Test func closingByZeroChangesNothing() {
    let rows = ["#.#", ".#.", "#.#"]
    var closed = mask(rows)
    closed.close(radius: 0)
    #expect(closed == mask(rows))
  }

  @Test func diagonalNeighborsShareARegion() {
    let components = mask(["#...#", ".#..#", ".....", "##..."]).components()
    #expect(
      components == [
        .init(box: Box(x: 0, y: 0, width: 2, height: 2), count: 2),
        .init(box: Box(x: 4, y: 0, width: 1, height: 2), count: 2),
        .init(box: Box(x: 0, y: 3, width: 2, height: 1), count: 2),
      ])
  }

  @Test func emptyMaskHasNoRegion() {
    #expect(mask(["..", ".."]).components().isEmpty)
  }
}
