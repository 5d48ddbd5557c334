import MartletImage
import Testing

@testable import MartletVision

@Suite struct FaceCropPixelsTests {
  /// Red rises by 2 per column, green by 3 per row.
  private func gradient(_ width: Int, _ height: Int) throws -> RGBImage {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { pixels += [UInt8(2 * x), UInt8(3 * y), 77] }
    }
    return try RGBImage(width: width, height: height, pixels: pixels)
  }

  @Test func uprightCropAtItsOwnSizeCopiesPixels() throws {
    let image = try gradient(40, 30)
    let crop = FaceCrop(center: Point(x: 18, y: 13), side: 16, across: [1, 0])
    let expected = try image.cropped(to: PixelRectangle(x: 10, y: 5, width: 16, height: 16))
    #expect(try crop.pixels(of: image, size: 16) == expected)
  }

  @Test(arguments: [1, 2, 3])
  func quarterTurnsMatchOrientations(_ quarterTurns: Int) throws {
    let image = try gradient(40, 30)
    let across: [SIMD2<Float>] = [[1, 0], [0, 1], [-1, 0], [0, -1]]
    let turned: [ImageOrientation] = [.up, .left, .down, .right]
    let square = try image.cropped(to: PixelRectangle(x: 10, y: 5, width: 16, height: 16))
    let crop = FaceCrop(center: Point(x: 18, y: 13), side: 16, across: across[quarterTurns])
    let expected = square.upright(from: turned[quarterTurns])
    #expect(try crop.pixels(of: image, size: 16) == expected)
  }

  @Test(arguments: [16, 8])
  func mirroredCropIsTheMirrorImage(_ size: Int) throws {
    let crop = FaceCrop(center: Point(x: 18, y: 13), side: 19, across: [0.8, 0.6])
    let (seen, mirrored) = try (
      crop.pixels(of: gradient(40, 30), size: size),
      crop.pixels(of: gradient(40, 30), size: size, isMirrored: true)
    )
    #expect(mirrored == seen.upright(from: .upMirrored))
  }

  /// In an image with linear colors, a pixel's color is the color at its position.
  @Test(
    arguments: [(20, [1, 0]), (20, [0.8, 0.6]), (30, [0.6, -0.8]), (50, [0.8, 0.6])]
      as [(Float, SIMD2<Float>)])
  func pixelsHaveTheColorsOfTheirPositions(_ side: Float, _ across: SIMD2<Float>) throws {
    let image = try gradient(100, 80)
    let crop = FaceCrop(center: Point(x: 50.3, y: 40.7), side: side, across: across)
    let size = 12
    let cropped = try crop.pixels(of: image, size: size)
    for y in 0..<size {
      for x in 0..<size {
        let share = SIMD3((Float(x) + 0.5) / Float(size), (Float(y) + 0.5) / Float(size), 0)
        let place = crop.imagePoint(share)
        let color = cropped[x, y]
        #expect((Float(color.red) - 2 * (place.x - 0.5)).magnitude <= 1.01)
        #expect((Float(color.green) - 3 * (place.y - 0.5)).magnitude <= 1.01)
        #expect(color.blue == 77)
      }
    }
  }

  /// Each byte is the formula's value rounded to nearest, inside the image and at its edges.
  @Test(arguments: [SIMD2<Float>(20, 15), [3, 4], [38, 28], [0, 30], [-6, 15], [20, 41]])
  func interpolatesBetweenFourNeighbors(_ center: SIMD2<Float>) throws {
    let (width, height, size) = (40, 30, 16)
    let pixels = (0..<3 * width * height).map { UInt8(truncatingIfNeeded: $0 &* 40503 >> 4) }
    let image = try RGBImage(width: width, height: height, pixels: pixels)
    let crop = FaceCrop(center: Point(center), side: 19, across: [0.8, 0.6])
    let cropped = try crop.pixels(of: image, size: size)
    func byte(_ column: Int, _ row: Int, _ channel: Int) -> Float {
      guard column >= 0, row >= 0, column < width, row < height else { return 0 }
      return Float(pixels[3 * (row * width + column) + channel])
    }
    for j in 0..<size {
      for i in 0..<size {
        let share = SIMD3((Float(i) + 0.5) / Float(size), (Float(j) + 0.5) / Float(size), 0)
        let place = crop.imagePoint(share)
        let corner = SIMD2(place.x - 0.5, place.y - 0.5).rounded(.down)
        let (x, y) = (place.x - 0.5 - corner.x, place.y - 0.5 - corner.y)
        let color = cropped[i, j]
        for (channel, found) in [color.red, color.green, color.blue].enumerated() {
          func row(_ down: Int) -> Float {
            let (column, row) = (Int(corner.x), Int(corner.y) + down)
            return byte(column, row, channel) * (1 - x) + byte(column + 1, row, channel) * x
          }
          let wanted = row(0) * (1 - y) + row(1) * y
          #expect((Float(found) - wanted).magnitude <= 0.51, "\(i), \(j)")
        }
      }
    }
  }

  @Test func largeCropAveragesItsPixels() throws {
    // Columns alternate between 0 and 200. Each crop pixel averages sixteen or eight of them per
    // row.
    var pixels: [UInt8] = []
    for _ in 0..<64 {
      for x in 0..<64 { pixels += [UInt8](repeating: x % 2 == 0 ? 0 : 200, count: 3) }
    }
    let image = try RGBImage(width: 64, height: 64, pixels: pixels)
    let crop = FaceCrop(center: Point(x: 32, y: 32), side: 64, across: [1, 0])
    for size in [4, 8, 16] {
      let cropped = try crop.pixels(of: image, size: size)
      #expect(cropped.pixels.allSatisfy { $0 == 100 }, "\(size)")
    }
  }

  @Test func isBlackOutsideTheImage() throws {
    let image = try RGBImage(
      width: 10, height: 10, filledWith: .init(red: 200, green: 100, blue: 50))
    let crop = FaceCrop(center: Point(x: 0, y: 5), side: 10, across: [1, 0])
    let cropped = try crop.pixels(of: image, size: 10)
    for y in 0..<10 {
      #expect(cropped[4, y] == .init(red: 0, green: 0, blue: 0))
      #expect(cropped[5, y] == .init(red: 200, green: 100, blue: 50))
    }
  }

  @Test(
    arguments: [
      FaceCrop(center: Point(x: 500, y: 500), side: 10, across: [1, 0]),
      FaceCrop(center: Point(x: .nan, y: 5), side: 10, across: [1, 0]),
      FaceCrop(center: Point(x: 5, y: 5), side: .nan, across: [1, 0]),
      FaceCrop(center: Point(x: 5, y: .infinity), side: 10, across: [0.6, 0.8]),
      FaceCrop(center: Point(x: 5, y: 5), side: .infinity, across: [1, 0]),
      FaceCrop(center: Point(x: 5, y: 5), side: 1e30, across: [1, 0]),
      FaceCrop(center: Point(x: -1e30, y: 1e30), side: 1e30, across: [0.6, 0.8]),
      FaceCrop(center: Point(x: 5, y: 5), side: 10, across: [.nan, 0]),
      FaceCrop(center: Point(x: 5, y: 5), side: 0, across: [1, 0]),
      FaceCrop(center: Point(x: 5, y: 5), side: -4, across: [1, 0]),
    ])
  func invalidCropsDoNotTrap(_ crop: FaceCrop) throws {
    for (width, height) in [(10, 10), (1, 1), (1, 37)] {
      let image = try RGBImage(
        width: width, height: height, filledWith: .init(red: 9, green: 9, blue: 9))
      #expect(try crop.pixels(of: image, size: 8).size == ImageSize(width: 8, height: 8))
    }
  }

  /// The second crop pixel is at 2¹⁶ - 2⁻⁸, and adding one rounds up: the color exceeded 255.
  @Test func positionJustBeforePixelOfWideImageHasColor() throws {
    var pixels = [UInt8](repeating: 0, count: 3 * 70000)
    pixels.replaceSubrange(3 * 65536..<3 * 65537, with: [255, 255, 255])
    let image = try RGBImage(width: 70000, height: 1, pixels: pixels)
    let crop = FaceCrop(center: Point(x: 30000.5, y: 35536.5), side: 142143.984375, across: [1, 0])
    #expect(try crop.pixels(of: image, size: 2)[1, 0].red > 250)
  }

  @Test(arguments: [0, -1, 1 << 21])
  func invalidSizeThrows(_ size: Int) throws {
    let image = try gradient(4, 4)
    let crop = FaceCrop(center: Point(x: 2, y: 2), side: 4, across: [1, 0])
    #expect(throws: ImageError.invalidSize(width: size, height: size)) {
      try crop.pixels(of: image, size: size)
    }
  }
}
