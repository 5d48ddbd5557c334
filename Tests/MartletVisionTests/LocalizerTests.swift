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
      (256, 192, [-158.234375, -125.75, -53.125, -199.28125], [-267.578125, -3.84375]),
      (192, 256, [-168.515625, -231.71875, -79.234375, -235.875], [-212.234375, 5.625]),
      (192, 192, [-192.25, -107.4375, -65.9375, -253], [-239.5, 10.6875]),
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
