import MartletImage
import Testing

@testable import MartletCodecs

@Suite struct JPEGRedrawingTests {
  /// The fixtures with three components of luminance and chrominance in one sequential scan, in units
  /// of at most two by two blocks of luminance.
  private static let names = [
    "comment", "fill-bytes", "no-markers", "optimized", "quality-1", "quality-10", "quality-100",
    "quality-50", "restart-1", "restart-1B", "restart-20B", "restart-3B", "restart-large",
    "sampling-420", "sampling-422", "sampling-440", "sampling-444", "shared-identifiers-444",
    "size-16x16", "size-17x1",
    "size-1x1", "size-1x17", "size-2x2", "size-3x3", "size-3x5-440", "size-4x5", "size-5x3-422",
    "size-5x4", "size-8x8", "standard-tables",
  ]

  private let red = RGBImage.Color(red: 255, green: 48, blue: 48)

  private func bytes(_ name: String) throws -> [UInt8] {
    try ImageFixtures.bytes("JPEG/\(name).jpg")
  }

  private func image(_ bytes: [UInt8]) throws -> RGBImage {
    try ImageFile(decoding: bytes, isStrict: true).upright
  }

  /// The scans of the file that is left out name one component only, which is damage.
  @Test(
    arguments: ImageFixtures.names(in: "JPEG").filter { $0 != "shared-identifiers-420-progressive" }
  )
  func keepsPixelsWithoutDrawing(_ name: String) throws {
    let before = try bytes(name)
    let pixels = try image(before)
    let after = JPEG.redrawn(before, with: Drawing(on: pixels.size))
    #expect((after != nil) == Self.names.contains(name))
    if let after { #expect(try image(after) == pixels) }
  }

  @Test(arguments: [
    "sampling-420", "sampling-422", "sampling-440", "sampling-444", "optimized",
    "restart-3B",
  ])
  func changesOnlyDrawnUnits(_ name: String) throws {
    let before = try bytes(name)
    let old = try image(before)
    var drawing = Drawing(on: old.size)
    // Two units of 16 by 16 pixels, the second one in part.
    drawing.fill(columns: 16..<40, rows: 16..<32, color: red)
    let new = try image(try #require(JPEG.redrawn(before, with: drawing)))
    #expect(new.size == old.size)
    for y in 0..<old.height {
      for x in 0..<old.width {
        // A decoder blends the chrominance of adjacent pixels.
        let isOutside = !(15..<49).contains(x) || !(15..<33).contains(y)
        if isOutside { #expect(new[x, y] == old[x, y], "\(x), \(y)") }
        if 17..<31 ~= x, 17..<31 ~= y { #expect(distance(new[x, y], red) < 24, "\(x), \(y)") }
        if 43..<47 ~= x, 17..<31 ~= y { #expect(distance(new[x, y], old[x, y]) < 60) }
      }
    }
  }

  /// The largest difference of a channel.
  private func distance(_ a: RGBImage.Color, _ b: RGBImage.Color) -> Int {
    zip([a.red, a.green, a.blue], [b.red, b.green, b.blue]).map { abs(Int($0) - Int($1)) }.max()
      ?? 0
  }

  @Test(arguments: 1...8)
  func keepsTheOrientation(_ value: Int) throws {
    let orientation = try #require(ImageOrientation(rawValue: value))
    let gray = [UInt8](repeating: 100, count: 3 * 48 * 32)
    let before = try JPEG.encode(
      Raster(width: 48, height: 32, channels: 3, samples: gray, orientation: value))
    var drawing = Drawing(on: orientation.upright(ImageSize(width: 48, height: 32)))
    drawing.fill(columns: 8..<24, rows: 0..<8, color: red)
    let after = try image(try #require(JPEG.redrawn(before, with: drawing)))
    #expect(after.size == drawing.size)
    #expect(distance(after[16, 4], red) < 8)
    #expect(distance(after[28, 12], RGBImage.Color(red: 100, green: 100, blue: 100)) < 4)
  }

  @Test func largestDifferencesHaveCodes() throws {
    // Black and white blocks of quality 100 have the largest differences of means.
    let samples = (0..<3 * 64 * 16).map { (index: Int) -> UInt8 in
      (index / 3 % 64 / 8) % 2 == 0 ? 0 : 255
    }
    let before = try JPEG.encode(
      Raster(width: 64, height: 16, channels: 3, samples: samples), quality: 100)
    var drawing = Drawing(on: ImageSize(width: 64, height: 16))
    for column in stride(from: 0, to: 64, by: 16) {
      drawing.fill(
        columns: column..<column + 8, rows: 0..<16,
        color: RGBImage.Color(red: 255, green: 255, blue: 255))
    }
    let after = try image(try #require(JPEG.redrawn(before, with: drawing)))
    #expect(after.pixels.allSatisfy { $0 >= 253 })
  }

  @Test func rejectsDamageOtherSizesAndForeignColors() throws {
    let whole = try bytes("sampling-420")
    let size = try image(whole).size
    #expect(JPEG.redrawn(Array(whole.dropLast(40)), with: Drawing(on: size)) == nil)
    #expect(JPEG.redrawn([], with: Drawing(on: size)) == nil)
    let other = ImageSize(width: size.width, height: size.height + 1)
    #expect(JPEG.redrawn(whole, with: Drawing(on: other)) == nil)
    let foreign = try ImageFixtures.bytes("ICC/display-p3.jpg")
    let drawing = Drawing(on: try image(foreign).size)
    #expect(JPEG.redrawn(foreign, with: drawing) == nil)
    #expect(JPEG.redrawn(foreign, with: drawing, convertsColors: false) != nil)
  }
}
