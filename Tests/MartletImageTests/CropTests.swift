import Testing

@testable import MartletImage

@Suite struct CropTests {
  /// Each pixel stores its coordinates.
  static func numbered() throws -> RGBImage {
    let pixels = (0..<20).flatMap { index -> [UInt8] in [UInt8(index % 5), UInt8(index / 5), 7] }
    return try RGBImage(width: 5, height: 4, pixels: pixels)
  }

  @Test func copiesTheRectangle() throws {
    let crop = try Self.numbered().cropped(to: PixelRectangle(x: 3, y: 1, width: 2, height: 3))
    #expect(crop.size == ImageSize(width: 2, height: 3))
    for y in 0..<3 {
      for x in 0..<2 {
        #expect(crop[x, y] == .init(red: UInt8(x + 3), green: UInt8(y + 1), blue: 7))
      }
    }
  }

  @Test(arguments: [
    PixelRectangle(x: -1, y: 0, width: 2, height: 2),
    PixelRectangle(x: 4, y: 0, width: 2, height: 2),
    PixelRectangle(x: 0, y: 3, width: 1, height: 2),
    PixelRectangle(x: 0, y: 0, width: 0, height: 2),
    PixelRectangle(x: .max, y: 0, width: .max, height: 2),
    PixelRectangle(x: 1, y: .min, width: 1, height: .max),
  ])
  func rejectsRectangleOutsideTheImage(_ rectangle: PixelRectangle) throws {
    let image = try Self.numbered()
    #expect(throws: ImageError.rectangleOutsideImage(rectangle, image.size)) {
      try image.cropped(to: rectangle)
    }
  }

  @Test(
    arguments: [
      (PixelRectangle(x: -2, y: -1, width: 4, height: 3), [0, 0, 2, 2]),
      (PixelRectangle(x: 3, y: 2, width: 9, height: 9), [3, 2, 2, 2]),
      (PixelRectangle(x: 1, y: 1, width: .max, height: 1), [1, 1, 4, 1]),
      (PixelRectangle(x: .min, y: 0, width: .max, height: 1), nil),
      (PixelRectangle(x: 5, y: 0, width: 1, height: 1), nil),
      (PixelRectangle(x: 0, y: 0, width: -3, height: 1), nil),
    ] as [(PixelRectangle, [Int]?)])
  func clipsToTheImage(_ rectangle: PixelRectangle, _ wanted: [Int]?) throws {
    let image = try Self.numbered()
    let expected = wanted.map { PixelRectangle(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
    #expect(rectangle.clipped(to: image.size) == expected)
    let crop = try expected.map { try image.cropped(to: $0) }
    #expect(image.croppedClipping(to: rectangle) == crop)
  }

  @Test func boxesCoverEveryPixelTheyTouch() {
    let size = ImageSize(width: 10, height: 8)
    #expect(
      PixelRectangle(covering: Box(x: 1.9, y: 2, width: 2.2, height: 1.5), in: size)
        == PixelRectangle(x: 1, y: 2, width: 4, height: 2))
    #expect(
      PixelRectangle(covering: Box(x: -1e30, y: -5, width: 2e30, height: 100), in: size)
        == PixelRectangle(x: 0, y: 0, width: 10, height: 8))
    for box in [
      Box(x: .nan, y: 0, width: 2, height: 2), Box(x: 0, y: 0, width: 2, height: .nan),
      Box(x: 10, y: 0, width: 2, height: 2), Box(x: 3, y: 3, width: 0, height: 0),
    ] {
      #expect(PixelRectangle(covering: box, in: size) == nil)
    }
  }
}
