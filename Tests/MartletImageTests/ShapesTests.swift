import Testing

@testable import MartletImage

@Suite struct ShapesTests {
  private let white = RGBImage.Color(red: 255, green: 254, blue: 253)
  private static let black = RGBImage.Color(red: 0, green: 0, blue: 0)

  private func image(_ width: Int = 12, _ height: Int = 9) throws -> RGBImage {
    try RGBImage(width: width, height: height, filledWith: Self.black)
  }

  /// The pixels that are not black, as "x,y"; each must be white.
  private func drawn(_ image: RGBImage) -> Set<String> {
    var found: Set<String> = []
    for y in 0..<image.height {
      for x in 0..<image.width where image[x, y] != Self.black {
        #expect(image[x, y] == white)
        found.insert("\(x),\(y)")
      }
    }
    return found
  }

  private func pixels(
    _ image: RGBImage, where isDrawn: (Int, Int) -> Bool
  ) -> Set<String> {
    var expected: Set<String> = []
    for y in 0..<image.height {
      for x in 0..<image.width where isDrawn(x, y) { expected.insert("\(x),\(y)") }
    }
    return expected
  }

  @Test(arguments: [
    (0..<12, 0..<9), (3..<5, 2..<4), (-5..<2, -5..<1), (11..<50, 8..<50), (5..<5, 0..<9),
    (50..<60, 0..<9), (0..<12, -9..<0), (Int.min..<Int.max, 4..<5),
  ])
  func fillsPixelsInside(columns: Range<Int>, rows: Range<Int>) throws {
    var image = try image()
    image.fill(columns: columns, rows: rows, color: white)
    #expect(drawn(image) == pixels(image) { columns.contains($0) && rows.contains($1) })
  }

  @Test(
    arguments: [
      Box(x: 2, y: 1, width: 8, height: 7), Box(x: 1.6, y: 0.4, width: 8.2, height: 7.2),
      Box(x: -3, y: -2, width: 8, height: 7), Box(x: 8, y: 5, width: 80, height: 70),
      Box(x: -30, y: -30, width: 90, height: 90), Box(x: 5, y: 5, width: 1, height: 1),
      Box(x: 4, y: 3, width: 0.2, height: 4), Box(x: 20, y: 20, width: 5, height: 5),
      Box(x: 0, y: 0, width: 12, height: 9),
    ], [1, 2, 5])
  func drawsBoxOutlineInward(box: Box, thickness: Int) throws {
    var image = try image()
    image.drawBox(box, color: white, thickness: thickness)
    let (left, top) = (Int(box.x.rounded()), Int(box.y.rounded()))
    let right = max(left + 1, Int(box.maxX.rounded()))
    let bottom = max(top + 1, Int(box.maxY.rounded()))
    let expected = pixels(image) { x, y in
      guard x >= left, x < right, y >= top, y < bottom else { return false }
      return min(x - left, right - 1 - x, y - top, bottom - 1 - y) < thickness
    }
    #expect(drawn(image) == expected)
  }

  @Test func drawsNothingForInvalidBoxes() throws {
    var image = try image()
    for box in [
      Box(x: 2, y: 2, width: 0, height: 5), Box(x: 2, y: 2, width: -4, height: 5),
      Box(x: .nan, y: 2, width: 4, height: 5), Box(x: 2, y: 2, width: .nan, height: 5),
      Box(x: 1e30, y: 2, width: 4, height: 5), Box(x: -.infinity, y: 2, width: 4, height: 5),
    ] {
      image.drawBox(box, color: white, thickness: 2)
    }
    #expect(drawn(image).isEmpty)
  }

  @Test func drawsVisibleEdgesOfInfiniteBox() throws {
    var image = try image()
    let box = Box(minX: 3, minY: -1e6, maxX: .infinity, maxY: 1e6)
    image.drawBox(box, color: white, thickness: 1)
    #expect(drawn(image) == pixels(image) { x, _ in x == 3 })
  }

  @Test func drawsDots() throws {
    for (diameter, rows) in [
      (0, ["#"]), (1, ["#"]), (2, ["##", "##"]), (3, ["###", "###", "###"]),
      (4, [".##.", "####", "####", ".##."]),
      (5, [".###.", "#####", "#####", "#####", ".###."]),
    ] {
      var image = try image()
      image.drawDot(
        at: Point(x: 4 + Float(rows.count) / 2, y: 2 + Float(rows.count) / 2), color: white,
        diameter: diameter)
      let expected = pixels(image) { x, y in
        guard rows.indices.contains(y - 2), rows.indices.contains(x - 4) else { return false }
        return Array(rows[y - 2].utf8)[x - 4] == UInt8(ascii: "#")
      }
      #expect(drawn(image) == expected, "diameter \(diameter)")
    }
  }

  @Test func drawsLinesBetweenPixels() throws {
    var image = try image()
    image.drawLine(
      from: Point(x: 1.5, y: 4.5), to: Point(x: 8.5, y: 4.5), color: white, thickness: 1)
    #expect(drawn(image) == pixels(image) { x, y in y == 4 && (1...8).contains(x) })
    image = try self.image()
    image.drawLine(
      from: Point(x: 7.5, y: 7.5), to: Point(x: 2.5, y: 2.5), color: white, thickness: 1)
    #expect(drawn(image) == pixels(image) { x, y in x == y && (2...7).contains(x) })
  }

  @Test func clipsLines() throws {
    var image = try image()
    image.drawLine(
      from: Point(x: -1000.5, y: 3.5), to: Point(x: 1000.5, y: 3.5), color: white, thickness: 1)
    #expect(drawn(image) == pixels(image) { _, y in y == 3 })
    image = try self.image()
    for (start, end) in [
      (Point(x: -5, y: -5), Point(x: 40, y: -5)), (Point(x: 20, y: 0), Point(x: 40, y: 9)),
      (Point(x: .nan, y: 0), Point(x: 4, y: 4)), (Point(x: -1e30, y: 7e29), Point(x: 9, y: 9)),
      (Point(x: -.infinity, y: 0), Point(x: 9, y: 9)),
      (Point(x: -3e38, y: -3e38), Point(x: 3e38, y: 3e38)),
    ] {
      image.drawLine(from: start, to: end, color: white, thickness: 1)
    }
    #expect(drawn(image).isEmpty)
  }
}
