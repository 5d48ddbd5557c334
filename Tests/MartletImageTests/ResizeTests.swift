import MartletBase
import MartletSystem
import MartletTestSupport
import Testing

@testable import MartletImage

@Suite struct ResizeTests {
  static let source = Golden.shared.resize

  func resized(_ c: Golden.Resize.Case, _ method: ResizeMethod) throws -> RGBImage {
    let source = try image(Self.source.width, Self.source.height, Self.source.pixels)
    let box = Box(x: c.box[0], y: c.box[1], width: c.box[2], height: c.box[3])
    return try source.resized(
      from: box, to: ImageSize(width: c.width, height: c.height), method: method)
  }

  @Test(arguments: [2, 3])
  func returnsSamePixelsWithAnyWorkerCount(count: Int) throws {
    var random = SplitMix64(seed: 3)
    let pixels = (0..<700 * 500 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    let source = try image(700, 500, pixels)
    let workers = Workers.pool(count: count)
    for method in ResizeMethod.allCases {
      for size in [ImageSize(width: 256, height: 200), ImageSize(width: 650, height: 90)] {
        #expect(
          try source.resized(to: size, method: method, workers: workers)
            == source.resized(to: size, method: method))
      }
    }
  }

  @Test(arguments: source.cases)
  func antialiasedMatchesPillow(_ c: Golden.Resize.Case) throws {
    #expect(try resized(c, .antialiased).pixels == Array(c.antialiased))
  }

  // Two passes that each round to a byte are within one of the exact, rounded value.
  @Test(arguments: source.cases)
  func areaIsTheMeanOfCoveredPixels(_ c: Golden.Resize.Case) throws {
    let pixels = try resized(c, .area).pixels
    #expect(pixels.count == c.area.count)
    #expect(largestDifference(pixels, c.area) <= 1)
    if let openCV = c.cvArea { #expect(largestDifference(pixels, openCV) <= 1) }
  }

  @Test(arguments: source.cases)
  func bilinearMatchesReference(_ c: Golden.Resize.Case) throws {
    let pixels = try resized(c, .bilinear).pixels
    #expect(pixels.count == c.bilinear.count)
    #expect(largestDifference(pixels, c.bilinear) <= 1)
    if let openCV = c.cvLinear { #expect(largestDifference(pixels, openCV) <= 1) }
  }

  @Test func largeImageMatchesPillow() throws {
    let golden = Golden.shared.large
    var state: UInt32 = 1
    let pixels = (0..<golden.width * golden.height * 3).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    let small = try image(golden.width, golden.height, pixels)
      .resized(to: ImageSize(width: 160, height: 160))
    let hash = small.pixels.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    #expect(String(hash) == golden.fnv1a)
  }

  @Test(arguments: ResizeMethod.allCases, [1, 2, 7, 19, 64])
  func flatColorStaysFlat(_ method: ResizeMethod, side: Int) throws {
    for color in [
      RGBImage.Color(red: 255, green: 0, blue: 1), RGBImage.Color(red: 254, green: 127, blue: 128),
    ] {
      let flat = try RGBImage(width: 23, height: 17, filledWith: color)
      let result = try flat.resized(
        from: Box(x: 0.3, y: 1.7, width: 21.9, height: 14.1),
        to: ImageSize(width: side, height: side + 3), method: method)
      let wanted = try RGBImage(width: side, height: side + 3, filledWith: color)
      #expect(result == wanted)
    }
  }

  @Test(arguments: ResizeMethod.allCases)
  func sameSizeIsCopy(_ method: ResizeMethod) throws {
    let source = try image(Self.source.width, Self.source.height, Self.source.pixels)
    #expect(try source.resized(to: source.size, method: method) == source)
  }

  @Test func areaAveragesTwoByTwoPixels() throws {
    let source = try image(2, 2, [0, 10, 255, 1, 20, 255, 2, 30, 255, 3, 40, 255])
    let result = try source.resized(to: ImageSize(width: 1, height: 1), method: .area)
    // Rows first round to (1, 15, 255) and (3, 35, 255): ties go up.
    #expect(result.pixels == [2, 25, 255])
  }

  /// Widths around vector ends, and any first column.
  @Test(arguments: 1...40)
  func halvingAveragesRowsFirst(_ width: Int) throws {
    var random = SplitMix64(seed: UInt64(width))
    let pixels = (0..<(2 * width + 3) * 6 * 3).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let source = try image(2 * width + 3, 6, pixels)
    for first in 0...3 {
      let half = try source.resized(
        from: Box(x: Float(first), y: 0, width: Float(2 * width), height: 6),
        to: ImageSize(width: width, height: 3), method: .area)
      let wanted = (0..<3).flatMap { y in
        (0..<3 * width).map { index in
          func mean(_ y: Int) -> Int {
            let start = (y * source.width + first + index / 3 * 2) * 3 + index % 3
            return (Int(pixels[start]) + Int(pixels[start + 3]) + 1) / 2
          }
          return UInt8((mean(2 * y) + mean(2 * y + 1) + 1) / 2)
        }
      }
      #expect(half.pixels == wanted, "from column \(first)")
    }
  }

  @Test func rejectsBoxesOutsideTheImage() throws {
    let source = try RGBImage(
      width: 8, height: 6, filledWith: .init(red: 1, green: 2, blue: 3))
    let target = ImageSize(width: 2, height: 2)
    for box in [
      Box(x: -0.5, y: 0, width: 2, height: 2), Box(x: 0, y: 0, width: 8.01, height: 2),
      Box(x: 0, y: 5, width: 2, height: 2), Box(x: 3, y: 3, width: 0, height: 2),
      Box(x: 0, y: 0, width: .nan, height: 2), Box(x: 0, y: 0, width: .infinity, height: 2),
      Box(x: 7.9999995, y: 0, width: 1e-12, height: 2),
    ] {
      #expect(throws: ImageError.self) { try source.resized(from: box, to: target) }
    }
    let outside = Box(x: 1, y: 0, width: 8, height: 2)
    #expect(throws: ImageError.boxOutsideImage(outside, source.size)) {
      try source.resized(from: outside, to: target)
    }
  }

  @Test(arguments: [ImageSize(width: 0, height: 4), ImageSize(width: 4, height: -1)])
  func rejectsEmptyTargets(_ target: ImageSize) throws {
    let source = try RGBImage(width: 2, height: 2, filledWith: .init(red: 0, green: 0, blue: 0))
    #expect(throws: ImageError.invalidSize(width: target.width, height: target.height)) {
      try source.resized(to: target)
    }
  }
}
