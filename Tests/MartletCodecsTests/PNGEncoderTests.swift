import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct PNGEncoderTests {
  private static func image(_ width: Int, _ height: Int, _ channels: Int, orientation: Int = 1)
    -> Raster
  {
    var random = SplitMix64(seed: UInt64(width * 7 + channels))
    let samples = (0..<width * height * channels).map { index in
      UInt8(truncatingIfNeeded: index / 3) ^ UInt8.random(in: 0..<4, using: &random)
    }
    return Raster(
      width: width, height: height, channels: channels, samples: samples, orientation: orientation)
  }

  @Test(arguments: [(1, 1), (1, 9), (9, 1), (40, 30)], 1...4)
  func decoderRestoresTheImage(size: (Int, Int), channels: Int) throws {
    let image = Self.image(size.0, size.1, channels)
    #expect(try PNG.decode(PNG.encode(image)) == image)
  }

  @Test(arguments: 1...8)
  func keepsTheOrientation(orientation: Int) throws {
    let image = Self.image(3, 2, 3, orientation: orientation)
    #expect(try PNG.decode(PNG.encode(image)) == image)
  }

  /// A bowl has few repetitions, but its rows are close to the filters' predictions.
  @Test func usesFiltersThatReduceSize() {
    let side = 120
    let samples = (0..<side * side).map { index in
      let (x, y) = (index % side, index / side)
      return UInt8(truncatingIfNeeded: x * x / 16 + y * y / 16)
    }
    let image = Raster(width: side, height: side, channels: 1, samples: samples)
    #expect(PNG.encode(image).count * 2 < Deflate.zlib(samples).count)
  }
}
