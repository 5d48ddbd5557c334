import Testing

@testable import MartletImage

@Suite struct ConcealmentTests {
  private static let box = Box(x: 40, y: 24, width: 64, height: 48)
  /// The box with a quarter of its sides at each edge.
  private static let region = PixelRectangle(x: 24, y: 12, width: 96, height: 72)

  /// Noise that the same seed repeats.
  private static func noise(_ width: Int = 160, _ height: Int = 100) throws -> RGBImage {
    var state: UInt32 = 7
    var image = try RGBImage(
      width: width, height: height, filledWith: .init(red: 0, green: 0, blue: 0))
    func next() -> UInt8 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    for y in 0..<height {
      for x in 0..<width { image[x, y] = .init(red: next(), green: next(), blue: next()) }
    }
    return image
  }

  private static func concealed(
    _ image: RGBImage, _ style: Concealment, _ boxes: [Box] = [box]
  ) -> RGBImage {
    var copy = image
    copy.conceal(boxes, as: style, of: image)
    return copy
  }

  @Test(arguments: [(Concealment.fill, 1...1), (.pixels, 2...64), (.blur, 2...4096)])
  func keepsFewColors(_ style: Concealment, _ expected: ClosedRange<Int>) throws {
    let image = Self.concealed(try Self.noise(), style)
    var colors: Set<[UInt8]> = []
    for y in Self.region.y..<Self.region.y + Self.region.height {
      for x in Self.region.x..<Self.region.x + Self.region.width {
        colors.insert([image[x, y].red, image[x, y].green, image[x, y].blue])
      }
    }
    #expect(expected.contains(colors.count))
  }

  @Test(arguments: Concealment.allCases)
  func pixelsOutsideStay(_ style: Concealment) throws {
    let before = try Self.noise()
    let after = Self.concealed(before, style)
    for y in 0..<before.height {
      for x in 0..<before.width {
        let isInside = (24..<120).contains(x) && (12..<84).contains(y)
        if !isInside { #expect(before[x, y] == after[x, y]) }
      }
    }
  }

  /// The mean color of a part of an image, rounded.
  private static func mean(_ image: RGBImage, _ columns: Range<Int>, _ rows: Range<Int>)
    -> RGBImage.Color
  {
    var sums = [0, 0, 0]
    for y in rows {
      for x in columns {
        sums[0] += Int(image[x, y].red)
        sums[1] += Int(image[x, y].green)
        sums[2] += Int(image[x, y].blue)
      }
    }
    let count = columns.count * rows.count
    let means = sums.map { UInt8(($0 + count / 2) / count) }
    return RGBImage.Color(red: means[0], green: means[1], blue: means[2])
  }

  /// The four cells of the region.
  private static let cells: [(Range<Int>, Range<Int>)] = [
    (24..<72, 12..<48), (72..<120, 12..<48), (24..<72, 48..<84), (72..<120, 48..<84),
  ]

  /// Nothing but the means of four cells is left: an image that has only these becomes the same.
  @Test(arguments: Concealment.allCases)
  func dependsOnFourMeansAlone(_ style: Concealment) throws {
    let image = try Self.noise()
    var means = image
    for (columns, rows) in Self.cells {
      let color = Self.mean(image, columns, rows)
      for y in rows { for x in columns { means[x, y] = color } }
    }
    let (first, second) = (Self.concealed(image, style), Self.concealed(means, style))
    for (one, other) in zip(first.pixels, second.pixels) {
      #expect(abs(Int(one) - Int(other)) <= 1)
    }
  }

  @Test(arguments: [Concealment.pixels, .blur])
  func cornersHaveTheirCellsMeans(_ style: Concealment) throws {
    let before = try Self.noise()
    let after = Self.concealed(before, style)
    let corners = [(24, 12), (119, 12), (24, 83), (119, 83)]
    for ((x, y), (columns, rows)) in zip(corners, Self.cells) {
      let mean = Self.mean(before, columns, rows)
      #expect(abs(Int(after[x, y].red) - Int(mean.red)) <= 1)
      #expect(abs(Int(after[x, y].blue) - Int(mean.blue)) <= 1)
    }
  }

  @Test(
    arguments: [
      Box(x: -100, y: -100, width: 50, height: 50), Box(x: .nan, y: 0, width: 9, height: 9),
      Box(x: 10, y: 10, width: 0, height: 9), Box(x: 10, y: 10, width: .nan, height: 9),
    ], Concealment.allCases)
  func boxesOutsideChangeNothing(_ box: Box, _ style: Concealment) throws {
    let image = try Self.noise()
    #expect(Self.concealed(image, style, [box]) == image)
  }

  @Test(
    arguments: [
      Box(x: 10, y: 10, width: 2, height: 90), Box(x: 150, y: 90, width: 30, height: 30),
      Box(x: -50, y: -50, width: 500, height: 500),
      Box(x: 0, y: 0, width: .greatestFiniteMagnitude, height: 20),
    ], Concealment.allCases)
  func boxesOfAnySizeAreConcealed(_ box: Box, _ style: Concealment) throws {
    let image = try Self.noise()
    #expect(Self.concealed(image, style, [box]) != image)
  }

  /// The colors may come from a smaller copy of the image.
  @Test(arguments: [Concealment.pixels, .blur])
  func readsColorsFromSmallerImage(_ style: Concealment) throws {
    let small = try Self.noise(80, 50)
    var fromSmall = small.enlarged(by: 2)
    let large = fromSmall
    fromSmall.conceal([Self.box], as: style, of: small)
    for (one, other) in zip(fromSmall.pixels, Self.concealed(large, style).pixels) {
      #expect(abs(Int(one) - Int(other)) <= 40)
    }
  }

  @Test func drawingWithTooManyPatchesIsNone() throws {
    let image = try Self.noise()
    let size = ImageSize(width: 1600, height: 1000)
    let boxes = [Box](repeating: Box(x: 0, y: 0, width: 800, height: 600), count: 300)
    #expect(Drawing(concealing: boxes, as: .blur, of: image, on: size) == nil)
    #expect(Drawing(concealing: boxes, as: .fill, of: image, on: size)?.patches.count == 300)
  }
}
