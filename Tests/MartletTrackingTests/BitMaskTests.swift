import MartletImage
import Testing

@testable import MartletTracking

@Suite struct BitMaskTests {
  /// A mask of rows of text, `#` marked.
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

  @Test func aGapOfMoreThanTwiceTheRadiusStays() {
    let rows = [".........", ".#...#...", "........."]
    var closed = mask(rows)
    closed.close(radius: 1)
    #expect(closed == mask(rows))
  }

  @Test func closingByNothingChangesNothing() {
    let rows = ["#.#", ".#.", "#.#"]
    var closed = mask(rows)
    closed.close(radius: 0)
    #expect(closed == mask(rows))
  }

  @Test func neighboursMakeARegionAcrossCornersToo() {
    let components = mask(["#...#", ".#..#", ".....", "##..."]).components()
    #expect(
      components == [
        .init(box: Box(x: 0, y: 0, width: 2, height: 2), count: 2),
        .init(box: Box(x: 4, y: 0, width: 1, height: 2), count: 2),
        .init(box: Box(x: 0, y: 3, width: 2, height: 1), count: 2),
      ])
  }

  @Test func anEmptyMaskHasNoRegion() {
    #expect(mask(["..", ".."]).components().isEmpty)
  }
}
