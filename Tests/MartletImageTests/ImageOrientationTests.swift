import Testing

@testable import MartletImage

@Suite struct ImageOrientationTests {
  static let golden = Golden.shared.orientation

  @Test(arguments: golden.cases)
  func rotatesPixelsLikePillow(_ c: Golden.Orientation.Case) throws {
    let stored = try image(Self.golden.width, Self.golden.height, Self.golden.pixels)
    let orientation = try #require(ImageOrientation(rawValue: c.orientation))
    let upright = stored.upright(from: orientation)
    #expect(upright == (try image(c.width, c.height, c.pixels)))
    #expect(orientation.upright(stored.size) == upright.size)
    #expect(upright.upright(from: orientation.inverse) == stored)
  }

  /// Paints a box, rotates the image, and finds the painted pixels.
  @Test(arguments: ImageOrientation.allCases)
  func boxesFollowTheirPixels(_ orientation: ImageOrientation) throws {
    let black = RGBImage.Color(red: 0, green: 0, blue: 0)
    let white = RGBImage.Color(red: 255, green: 255, blue: 255)
    var stored = try RGBImage(width: 9, height: 7, filledWith: black)
    let box = PixelRectangle(x: 1, y: 2, width: 4, height: 3)
    for y in 2..<5 { for x in 1..<5 { stored[x, y] = white } }
    let upright = stored.upright(from: orientation)
    let painted = (0..<upright.height).flatMap { y in
      (0..<upright.width).filter { upright[$0, y] == white }.map { ($0, y) }
    }
    let columns = painted.map(\.0)
    let rows = painted.map(\.1)
    let found = Box(
      minX: Float(try #require(columns.min())), minY: Float(try #require(rows.min())),
      maxX: Float(try #require(columns.max()) + 1), maxY: Float(try #require(rows.max()) + 1))
    #expect(orientation.upright(box.box, storedSize: stored.size) == found)
    #expect(orientation.stored(found, storedSize: stored.size) == box.box)
  }

  @Test(arguments: ImageOrientation.allCases)
  func pointsFollowBoxes(_ orientation: ImageOrientation) {
    let size = ImageSize(width: 640, height: 480)
    let box = Box(x: 12, y: 34, width: 56, height: 78)
    let upright = orientation.upright(box, storedSize: size)
    #expect(orientation.upright(box.center, storedSize: size) == upright.center)
    #expect(orientation.stored(upright.center, storedSize: size) == box.center)
  }

  // EXIF specification, 4.6.4.A: the sides on which row 0 and column 0 are displayed.
  @Test(arguments: [
    (1, Point(x: 0, y: 0)), (2, Point(x: 10, y: 0)), (3, Point(x: 10, y: 20)),
    (4, Point(x: 0, y: 20)), (5, Point(x: 0, y: 0)), (6, Point(x: 20, y: 0)),
    (7, Point(x: 20, y: 10)), (8, Point(x: 0, y: 10)),
  ])
  func firstPixelMatchesEXIF(_ value: Int, _ corner: Point) throws {
    let orientation = try #require(ImageOrientation(rawValue: value))
    let size = ImageSize(width: 10, height: 20)
    #expect(orientation.upright(Point(x: 0, y: 0), storedSize: size) == corner)
  }

  @Test func refusesOtherValues() {
    #expect(ImageOrientation(rawValue: 0) == nil)
    #expect(ImageOrientation(rawValue: 9) == nil)
  }
}
