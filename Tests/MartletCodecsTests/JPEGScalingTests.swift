import MartletBase
import MartletImage
import MartletSystem
import Testing

@testable import MartletCodecs

/// Images at 1/2, 1/4 and 1/8 of their size, compared with Pillow 13.0 (libjpeg-turbo 3.2).
@Suite struct JPEGScalingTests {
  /// A file, the least side that selects a scale, and the size and CRC-32 of the reference samples;
  /// see `scaled` in `JPEG/make.py`.
  struct Case: CustomTestStringConvertible, Sendable {
    let file: JPEGRecoveryTests.Case
    let minimumSide, width, height: Int

    var testDescription: String { "\(file.testDescription) \(width)x\(height)" }

    init?(_ line: Substring) {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst(3).compactMap { Int($0) }
      guard numbers.count == 3,
        let file = JPEGRecoveryTests.Case(words.prefix(3).joined(separator: " ")[...])
      else { return nil }
      self.file = file
      (minimumSide, width, height) = (numbers[0], numbers[1], numbers[2])
    }
  }

  static let cases: [Case] = {
    let text = (try? ImageFixtures.bytes("JPEG/scaled.txt")) ?? []
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { Case($0) }
  }()

  @Test func findsTheCases() { #expect(Self.cases.count >= 464) }

  @Test(arguments: cases)
  func scaledImageMatchesPillow(_ scaled: Case) throws {
    let bytes = try scaled.file.bytes()
    let full = try JPEG.decode(bytes)
    let raster = try JPEG.decode(bytes, minimumSide: scaled.minimumSide)
    #expect((raster.width, raster.height) == (scaled.width, scaled.height))
    #expect(raster.fullSize == ImageSize(width: full.width, height: full.height))
    #expect(raster.warnings == full.warnings)
    #expect(
      CRC32.checksum(raster.samples, range: raster.samples.indices) == scaled.file.sum)
  }

  @Test(arguments: [2, 3])
  func workersDoNotAffectScaledImages(count: Int) throws {
    for name in ["420", "440", "444", "progressive", "scans"] {
      let bytes = try ImageFixtures.bytes("JPEG/bands/\(name).jpg")
      for side in [38, 19, 10] {
        let alone = try JPEG.decode(bytes, minimumSide: side)
        #expect(
          try JPEG.decode(bytes, minimumSide: side, workers: .pool(count: count)) == alone)
      }
    }
  }

  @Test(arguments: [
    (76, (2001, 75)), (75, (2001, 75)), (39, (2001, 75)), (38, (1001, 38)), (20, (1001, 38)),
    (19, (501, 19)), (11, (501, 19)), (10, (251, 10)), (1, (251, 10)), (0, (251, 10)),
    (Int.min, (251, 10)), (Int.max, (2001, 75)),
  ])
  func bothSidesKeepTheMinimum(minimumSide: Int, size: (Int, Int)) throws {
    let bytes = try ImageFixtures.bytes("JPEG/bands/gray.jpg")
    let raster = try JPEG.decode(bytes, minimumSide: minimumSide)
    #expect((raster.width, raster.height) == size)
  }

  /// A reduced image needs less memory: its own pixels and, if it is progressive, a part of the
  /// coefficients.
  @Test(arguments: [("420", 251 * 10 * 3), ("progressive", 148_530)])
  func memoryLimitAppliesToTheReducedImage(name: String, memory: Int) throws {
    let bytes = try ImageFixtures.bytes("JPEG/bands/\(name).jpg")
    let limits = ImageLimits(memory: memory)
    #expect(throws: JPEGError.self) { try JPEG.decode(bytes, limits: limits) }
    #expect(throws: Never.self) { try JPEG.decode(bytes, limits: limits, minimumSide: 1) }
  }

  @Test func strictDecodingRefusesTheSameDamage() throws {
    let bytes = try ImageFixtures.bytes("JPEG/damaged/restart-interval-damaged.jpg")
    let error = try #require(JPEGFile.error(bytes))
    #expect(throws: error) { try JPEG.decode(bytes, isStrict: true, minimumSide: 1) }
  }
}
