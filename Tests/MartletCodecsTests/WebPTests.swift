import MartletBase
import MartletTestSupport
import Testing

@testable import MartletCodecs

/// A line of `Tests/Fixtures/WebP/expected.txt` or `truncated.txt`: a name, numbers and a digest.
struct WebPCase: CustomTestStringConvertible, Sendable {
  let name: String
  let numbers: [Int]
  let digest: String

  var testDescription: String { "\(name) \(numbers)" }

  static func all(in list: String) -> [WebPCase] {
    let bytes = (try? ImageFixtures.bytes("WebP/\(list).txt")) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      let words = line.split(separator: " ").map { String($0) }
      return WebPCase(
        name: words[0], numbers: words[1..<words.count - 1].compactMap { Int($0) },
        digest: words[words.count - 1])
    }
  }

  var bytes: [UInt8] {
    get throws { try ImageFixtures.bytes("WebP/\(name).webp") }
  }
}

@Suite struct WebPTests {
  @Test func findsTheFixtures() {
    #expect(WebPCase.all(in: "expected").count == 54)
  }

  /// libwebp 1.6 (in Pillow 13.0) decodes samples with these digests.
  @Test(arguments: WebPCase.all(in: "expected"))
  func samplesEqualLibwebp(_ file: WebPCase) throws {
    let raster = try WebP.decode(file.bytes, isStrict: true)
    #expect(
      [raster.width, raster.height, raster.channels, raster.orientation] == file.numbers)
    #expect(SHA256.digest(of: raster.samples).hexadecimal == file.digest)
    #expect(raster.warnings.isEmpty)
  }

  @Test func imageFileDropsAlphaAndFollowsOrientation() throws {
    let alpha = try ImageFixtures.bytes("WebP/lossless-alpha.webp")
    let raster = try WebP.decode(alpha)
    #expect(raster.channels == 4)
    #expect(try ImageFile(decoding: alpha).image.pixels == raster.rgb)
    let turned = try ImageFile(decoding: ImageFixtures.bytes("WebP/orientation6.webp"))
    #expect(turned.orientation == .right)
    #expect((turned.upright.width, turned.upright.height) == (10, 20))
  }

  /// Some writers keep the prefix that JPEG files have before EXIF data.
  @Test func readsOrientationAfterPrefix() throws {
    var bytes = try ImageFixtures.bytes("WebP/orientation6.webp")
    let place = try #require(bytes.firstRange(of: Array("EXIF".utf8))).lowerBound
    let length = bytes.count - place - 8
    bytes.insert(contentsOf: Array("Exif\0\0".utf8), at: place + 8)
    bytes[place + 4] = UInt8(length + 6)
    bytes[4] += 6
    #expect(try WebP.decode(bytes).orientation == 6)
    // Without its flag in VP8X the chunk is ignored, as by libwebp.
    bytes[20] &= ~8
    #expect(try WebP.decode(bytes).orientation == 1)
  }

  /// The first frame begins in column 6 and row 4.
  @Test func canvasOutsideFirstFrameIsTransparent() throws {
    let raster = try WebP.decode(ImageFixtures.bytes("WebP/animation-alpha.webp"))
    for (y, row) in (0..<raster.height).map({ y in
      (y, raster.samples[y * raster.width * 4..<(y + 1) * raster.width * 4])
    }) where y < 4 || y >= 22 {
      #expect(row.allSatisfy { $0 == 0 })
    }
  }

  @Test func alphaFiltersDecodeTheSameImage() throws {
    for kind in ["disc", "stripes", "noise"] {
      let rasters = try ["none", "fast", "best"].map {
        try WebP.decode(ImageFixtures.bytes("WebP/alpha-\(kind)-\($0).webp"))
      }
      #expect(rasters[0].samples == rasters[1].samples)
      #expect(rasters[0].samples == rasters[2].samples)
    }
  }

  @Test func sampleMemoryCountsTowardLimit() throws {
    let bytes = try ImageFixtures.bytes("WebP/lossy-q80.webp")
    // 67 x 45 pixels in 5 x 3 macroblocks.
    let needed = 67 * 45 * 3 + 384 * 15 + 3 * 64 + 1024 * 5
    #expect(throws: Never.self) { try WebP.decode(bytes, limits: ImageLimits(memory: needed)) }
    #expect(
      throws: WebPError.memory(
        MemoryExcess(needed: Int64(needed), limit: Int64(needed - 1)))
    ) {
      try WebP.decode(bytes, limits: ImageLimits(memory: needed - 1))
    }
  }
}
