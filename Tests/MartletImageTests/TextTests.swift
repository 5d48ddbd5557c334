import Testing

@testable import MartletImage

@Suite struct TextTests {
  private static let black = RGBImage.Color(red: 0, green: 0, blue: 0)
  private let white = RGBImage.Color(red: 255, green: 255, blue: 255)
  private let yellow = RGBImage.Color(red: 255, green: 255, blue: 0)

  private func image(_ width: Int, _ height: Int) throws -> RGBImage {
    try RGBImage(width: width, height: height, filledWith: Self.black)
  }

  /// Rows of text with a letter per color.
  private func characters(_ image: RGBImage) -> [String] {
    (0..<image.height).map { y in
      (0..<image.width).map { x in
        image[x, y] == white ? "#" : image[x, y] == yellow ? "y" : "."
      }.joined()
    }
  }

  /// The smallest rectangle of yellow pixels, including the black letters in it.
  private func extent(_ image: RGBImage) -> PixelExtent {
    var (columns, rows) = (Set<Int>(), Set<Int>())
    for y in 0..<image.height {
      for x in 0..<image.width where image[x, y] == yellow {
        columns.insert(x)
        rows.insert(y)
      }
    }
    return PixelExtent(
      columns: (columns.min() ?? 0)..<(columns.max() ?? -1) + 1,
      rows: (rows.min() ?? 0)..<(rows.max() ?? -1) + 1)
  }

  private struct PixelExtent: Equatable {
    let columns, rows: Range<Int>
  }

  @Test func drawsLettersNextToEachOther() throws {
    var image = try image(13, 9)
    image.drawText("LT", x: 1, y: 1, color: white, scale: 1)
    #expect(
      characters(image) == [
        ".............",
        ".#.....#####.",
        ".#.......#...",
        ".#.......#...",
        ".#.......#...",
        ".#.......#...",
        ".#.......#...",
        ".#####...#...",
        ".............",
      ])
  }

  /// In the middle of each font pixel, large letters equal small ones; their edges are blended.
  @Test func largeLettersHaveSmoothEdges() throws {
    var small = try image(20, 10)
    small.drawText("HE", x: 0, y: 0, color: white, scale: 1)
    var large = try image(100, 50)
    large.drawText("HE", x: 0, y: 0, color: white, scale: 5)
    for y in 0..<10 {
      for x in 0..<20 { #expect(large[5 * x + 2, 5 * y + 2] == small[x, y]) }
    }
    var round = try image(100, 50)
    round.drawText("O", x: 0, y: 0, color: white, scale: 5)
    let levels = Set((0..<50).flatMap { y in (0..<100).map { round[$0, y].red } })
    #expect(levels.count > 2)
  }

  @Test(arguments: [(-3, -4), (8, 5), (-100, 0), (0, 100)])
  func clipsText(x: Int, y: Int) throws {
    var whole = try image(60, 60)
    whole.drawText("MW", x: x + 20, y: y + 20, color: white, scale: 1)
    var part = try image(10, 8)
    part.drawText("MW", x: x, y: y, color: white, scale: 1)
    for row in 0..<8 {
      for column in 0..<10 { #expect(part[column, row] == whole[column + 20, row + 20]) }
    }
  }

  // A label of n letters is 6 n + 1 pixels wide and 11 high, multiplied by its scale.
  @Test(arguments: [
    (Box(x: 10, y: 30, width: 20, height: 9), 10..<23, 19..<30),
    (Box(x: 10, y: 5, width: 20, height: 9), 10..<23, 5..<16),
    (Box(x: -9, y: 30, width: 20, height: 9), 0..<13, 19..<30),
    (Box(x: 55, y: 30, width: 20, height: 9), 47..<60, 19..<30),
    (Box(x: 10, y: -9, width: 20, height: 90), 10..<23, 0..<11),
    (Box(x: 58, y: 48, width: 2, height: 2), 47..<60, 37..<48),
  ])
  func placesLabelInsideTheImage(box: Box, columns: Range<Int>, rows: Range<Int>) throws {
    var image = try image(60, 50)
    image.drawLabel(firstOf: ["ab"], of: box, background: yellow, scale: 1)
    #expect(extent(image) == PixelExtent(columns: columns, rows: rows))
  }

  @Test func longTextShrinksOrIsNotDrawn() throws {
    let box = Box(x: 30, y: 30, width: 10, height: 10)
    var image = try image(60, 50)
    image.drawLabel(firstOf: ["abcd"], of: box, background: yellow, scale: 3)
    #expect(extent(image) == PixelExtent(columns: 10..<60, rows: 8..<30))
    // Words are not cut.
    let empty = try self.image(60, 50)
    var long = empty
    long.drawLabel(firstOf: ["abcdefghijklmnop"], of: box, background: yellow, scale: 3)
    #expect(long == empty)
  }

  @Test(arguments: [(1, 1), (2, 30), (30, 2), (7, 11), (12, 12), (13, 13)], 1...3)
  func tinyImageHasLabelIfTwoLettersFit(size: (Int, Int), scale: Int) throws {
    var image = try image(size.0, size.1)
    let box = Box(x: 0, y: 0, width: Float(size.0), height: Float(size.1))
    image.drawLabel(firstOf: ["long label", "ab"], of: box, background: yellow, scale: scale)
    #expect((image[0, 0] == yellow) == (size.0 >= 13 && size.1 >= 11))
  }

  @Test func drawsNoLabelWithoutTextOrBox() throws {
    let empty = try image(60, 50)
    var image = empty
    image.drawLabel(
      firstOf: [""], of: Box(x: 1, y: 1, width: 9, height: 9), background: yellow, scale: 1)
    for box in [
      Box(x: 1, y: 1, width: 0, height: 9), Box(x: .nan, y: 1, width: 9, height: 9),
      Box(x: 1, y: 1, width: 9, height: .nan), Box(x: 70, y: 1, width: 9, height: 9),
      Box(x: 1, y: -1e30, width: 9, height: 9),
    ] {
      image.drawLabel(firstOf: ["ab"], of: box, background: yellow, scale: 1)
    }
    #expect(image == empty)
  }

  @Test func writesBlackOnBrightAndWhiteOnDark() throws {
    let box = Box(x: 0, y: 0, width: 30, height: 30)
    for (background, ink) in [
      (yellow, Self.black), (RGBImage.Color(red: 0, green: 0, blue: 200), white),
    ] {
      var image = try image(30, 30)
      image.drawLabel(firstOf: ["|"], of: box, background: background, scale: 1)
      // The bar is the third column of the letter, one pixel from the label's edges.
      #expect(image[3, 1] == ink)
      #expect(image[2, 1] == background)
    }
  }
  @Test func smallerLettersAreTriedWhereLargerOnesFindNoPlace() throws {
    func label(scale: Int, avoiding taken: [Box]) throws -> Box? {
      var image = try image(200, 200)
      return image.drawLabel(
        firstOf: ["A"], of: Box(x: 50, y: 100, width: 100, height: 90), background: yellow,
        scale: scale, avoiding: taken)?.box
    }
    let small = try #require(try label(scale: 1, avoiding: []))
    let large = try #require(try label(scale: 2, avoiding: []))
    // Everything below the label, and what only large letters cover above the box.
    let below = Box(x: 0, y: 100, width: 200, height: 100)
    let above = Box(x: 0, y: large.y, width: 200, height: large.height - small.height)
    #expect(try label(scale: 2, avoiding: [below, above]) == small)
  }

  @Test(arguments: 0..<8)
  func labelStaysOnItsSide(_ side: Int) throws {
    var image = try image(200, 200)
    let box = Box(x: 50, y: 60, width: 100, height: 80)
    let first = image.drawLabel(
      firstOf: ["A"], of: box, background: yellow, scale: 1, preferring: side)
    #expect(first?.side == side)
    // There is no place on that side any more.
    let taken = try #require(first).box
    let second = image.drawLabel(
      firstOf: ["A"], of: box, background: yellow, scale: 1, avoiding: [taken], preferring: side)
    #expect(second != nil && second?.side != side)
  }
}
