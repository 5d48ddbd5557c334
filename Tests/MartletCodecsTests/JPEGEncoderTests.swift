import Foundation
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct JPEGEncoderTests {
  /// An image of smooth waves with these channels.
  private func image(_ width: Int, _ height: Int, channels: Int, orientation: Int = 1) -> Raster {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<channels {
          samples.append(UInt8((x * (3 + channel) + y * (5 - channel)) % 256 / 2 + 60))
        }
      }
    }
    return Raster(
      width: width, height: height, channels: channels, samples: samples, orientation: orientation)
  }

  @Test(arguments: [(1, 1), (8, 8), (17, 9), (64, 40)], [1, 3])
  func decodedImageIsCloseToTheOriginal(_ size: (Int, Int), _ channels: Int) throws {
    let before = image(size.0, size.1, channels: channels)
    let after = try JPEG.decode(JPEG.encode(before, quality: 100))
    #expect(after.width == before.width && after.height == before.height)
    #expect(after.channels == channels)
    let largestError = zip(before.samples, after.samples).map { abs(Int($0) - Int($1)) }.max() ?? 0
    // One quantization unit per component; color differences count up to 1.8 times.
    #expect(largestError <= (channels == 1 ? 1 : 4))
  }

  @Test func lowerQualityIsSmallerAndWorse() throws {
    let before = image(64, 64, channels: 3)
    func outcome(_ quality: Int) throws -> (size: Int, error: Int) {
      let file = try JPEG.encode(before, quality: quality)
      let after = try JPEG.decode(file)
      return (
        file.count,
        zip(before.samples, after.samples).map { abs(Int($0) - Int($1)) }.reduce(0, +)
      )
    }
    let outcomes = try [5, 30, 75, 95].map(outcome)
    for (worse, better) in zip(outcomes, outcomes.dropFirst()) {
      #expect(worse.size < better.size && worse.error > better.error)
    }
  }

  @Test(arguments: [0, -5, 1]) func qualityIsClampedToOne(_ quality: Int) throws {
    let raster = image(16, 16, channels: 3)
    #expect(try JPEG.encode(raster, quality: quality) == JPEG.encode(raster, quality: 1))
  }

  @Test func encodesLargestCoefficients() throws {
    // A black and white chessboard has the largest coefficients.
    let samples = (0..<64 * 64).map { (index: Int) -> UInt8 in
      (index / 64 + index) % 2 == 0 ? 0 : 255
    }
    let raster = Raster(width: 64, height: 64, channels: 1, samples: samples)
    let after = try JPEG.decode(JPEG.encode(raster, quality: 100))
    #expect(zip(samples, after.samples).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
  }

  @Test func dropsAlphaAndKeepsOrientation() throws {
    let after = try JPEG.decode(JPEG.encode(image(9, 9, channels: 4, orientation: 6)))
    #expect(after.channels == 3 && after.orientation == 6)
    #expect(try JPEG.decode(JPEG.encode(image(9, 9, channels: 2))).channels == 1)
  }

  @Test func rejectsSidesThatAreTooLong() {
    let raster = Raster(
      width: 65_536, height: 1, channels: 1, samples: Array(repeating: 0, count: 65_536))
    #expect(throws: JPEGError.sideTooLong(width: 65_536, height: 1, limit: 65_535)) {
      try JPEG.encode(raster)
    }
  }
}
