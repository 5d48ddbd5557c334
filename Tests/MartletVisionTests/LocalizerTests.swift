import Testing

@testable import MartletVision

@Suite struct LocalizerTests {
  @Test(arguments: [
    (640, 480, 256, 192), (1920, 1080, 256, 192), (480, 640, 192, 256), (100, 100, 192, 192),
    (115, 100, 192, 192), (116, 100, 256, 192), (100, 116, 192, 256), (1, 65_535, 192, 256),
  ])
  func inputHasTheShapeOfTheImage(
    _ width: Int, _ height: Int, _ inputWidth: Int, _ inputHeight: Int
  ) {
    let size = Localizer.inputSize(for: ImageSize(width: width, height: height))
    #expect(size == ImageSize(width: inputWidth, height: inputHeight))
  }

  @Test func networkIsPreparedOnceForAShape() throws {
    let localizer = Localizer(options: .init(), lock: .automatic())
    let landscape = try localizer.model(for: ImageSize(width: 640, height: 480))
    let square = try localizer.model(for: ImageSize(width: 64, height: 64))
    #expect(landscape !== square)
    #expect(try localizer.model(for: ImageSize(width: 1920, height: 1080)) === landscape)
    #expect(try localizer.model(for: ImageSize(width: 65, height: 64)) === square)
  }

  /// LiteRT 2.3 with reference kernels, on the network resized by Weights/Training/evaluate/network.py: sums of the
  /// first and last features over 6 x 6 cells, minus as many mean cells.
  @Test(
    arguments: [
      (256, 192, [-215.984375, -168.546875, -39.984375, -216.75], [-245.84375, -10.46875]),
      (192, 256, [-217.859375, -247.078125, -66.21875, -212.921875], [-184.3125, 8.546875]),
      (192, 192, [-246.5, -147.8125, -51.5625, -213.3125], [-229.875, 3.5]),
    ] as [(Int, Int, [Float], [Float])])
  func featuresMatchLiteRT(
    _ width: Int, _ height: Int, _ first: [Float], _ last: [Float]
  ) throws {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          pixels.append(UInt8(truncatingIfNeeded: x * 7 + y * 13 + channel * 29))
        }
      }
    }
    let image = try RGBImage(width: width, height: height, pixels: pixels)
    var features = FeatureMap()
    let found = try ObjectFinder(lock: .none).detections(
      in: image, limit: 5, features: &features)
    #expect(found.hasFeatures && features.channels == 96)
    var sums: [Float] = []
    features.forEachMean(of: Box(x: 24, y: 48, width: 48, height: 48), in: image.size) {
      sums.append($1)
    }
    #expect(Array(sums.prefix(first.count)) == first)
    #expect(Array(sums.suffix(last.count)) == last)
  }
}
