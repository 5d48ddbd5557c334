import MartletBase
import MartletSystem
import Testing

@testable import MartletCodecs

@Suite struct JPEGDecodingTests {
  @Test(arguments: ImageFixtures.names(in: "JPEG"))
  func decodesEverySampleAsPillowDoes(name: String) throws {
    let expected = try ExpectedSamples("JPEG/\(name).bin")
    let raster = try JPEG.decode(ImageFixtures.bytes("JPEG/\(name).jpg"))
    #expect(raster.width == expected.width)
    #expect(raster.height == expected.height)
    #expect(raster.channels == expected.channels)
    #expect(raster.orientation == 1)
    #expect(raster.samples == expected.samples)
  }

  @Test func findsTheFixtures() {
    #expect(ImageFixtures.names(in: "JPEG").count == 60)
  }

  /// The CRC-32 of Pillow's samples for images that are decoded in several bands.
  private static let bandSums: [(name: String, sum: UInt32)] = {
    let text = (try? ImageFixtures.bytes("JPEG/bands/bands.txt")) ?? []
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return UInt32(words[1]).map { (String(words[0]), $0) }
    }
  }()

  @Test(arguments: [1, 2, 3, 4])
  func bandsMatchPillowWithAnyWorkerCount(count: Int) throws {
    #expect(Self.bandSums.count == 7)
    let workers = Workers.pool(count: count)
    for (name, sum) in Self.bandSums {
      let bytes = try ImageFixtures.bytes("JPEG/bands/\(name).jpg")
      let samples = try JPEG.decode(bytes, workers: workers).samples
      #expect(CRC32.checksum(samples, range: samples.indices) == sum, "\(name)")
    }
  }

  @Test(arguments: [1, 2, 3])
  func findsSameDamageWithAnyWorkerCount(count: Int) throws {
    var bytes = try ImageFixtures.bytes("JPEG/bands/restart.jpg")
    let alone = try JPEG.decodeFrame(of: bytes, at: 0)
    // Zeros replace some bytes inside an interval, so that the markers are kept.
    for offset in [3000, 5500] {
      for byte in offset..<offset + 6 where bytes[byte - 1] != 0xFF && bytes[byte] != 0xFF {
        bytes[byte] = 0
      }
    }
    let damaged = try JPEG.decodeFrame(of: bytes, at: 0)
    #expect(damaged.damage != nil)
    #expect(damaged.raster != alone.raster)
    let workers = Workers.pool(count: count)
    #expect(try JPEG.decodeFrame(of: bytes, at: 0, workers: workers) == damaged)
    let cut = Array(bytes.prefix(bytes.count / 2))
    let error = try #require(JPEGFile.error(cut))
    #expect(throws: error) { try JPEG.decode(cut, isStrict: true, workers: workers) }
  }

  @Test func decodesAFileMadeByHand() throws {
    let bytes =
      JPEGFile.start + JPEGFile.steps() + JPEGFile.frame() + JPEGFile.tables + JPEGFile.scan()
      + JPEGFile.block + JPEGFile.end
    #expect(
      try JPEG.decode(bytes)
        == Raster(
          width: 8, height: 8, channels: 1, samples: Array(repeating: 138, count: 64)))
  }

  // MARK: Orientation

  private func exif(_ orientation: UInt8) -> [UInt8] {
    JPEGFile.segment(
      0xE1,
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1]
        + [0, orientation, 0, 0, 0, 0, 0, 0])
  }

  @Test(arguments: UInt8(1)...8)
  func readsTheOrientation(value: UInt8) throws {
    let plain = try ImageFixtures.bytes("JPEG/gray.jpg")
    #expect(try JPEG.decode(JPEGFile.start + exif(value) + plain[2...]).orientation == Int(value))
  }

  @Test func skipsUnknownApplicationSegments() throws {
    let plain = try ImageFixtures.bytes("JPEG/gray.jpg")
    let adobe = JPEGFile.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
    let broken = JPEGFile.segment(0xE1, Array("Exif\0\0MM\0*".utf8) + [255, 255, 255, 255])
    let bytes = JPEGFile.start + adobe + broken + exif(9) + exif(6) + exif(3) + plain[2...]
    #expect(try JPEG.decode(bytes).orientation == 6)
  }

  // MARK: Videos

  @Test func decodesConsecutiveImages() throws {
    let (first, second) = (
      try ImageFixtures.bytes("JPEG/sampling-420.jpg"),
      try ImageFixtures.bytes("JPEG/progressive-gray.jpg")
    )
    let video = first + second
    let one = try JPEG.decodeFrame(of: video, at: 0)
    #expect(one.end == first.count)
    #expect(one.raster == (try JPEG.decode(first)))
    let two = try JPEG.decodeFrame(of: video, at: one.end)
    #expect(two.end == video.count)
    #expect(two.raster == (try JPEG.decode(second)))
    #expect(throws: JPEGError.notJPEG) { try JPEG.decodeFrame(of: video, at: two.end) }
  }

  @Test func frameWithoutEndMarkerEndsAtTheNext() throws {
    let bytes = try ImageFixtures.bytes("JPEG/sampling-420.jpg")
    let one = try JPEG.decodeFrame(of: bytes.dropLast(2) + bytes, at: 0)
    #expect(one.end == bytes.count - 2)
  }

  @Test func readsAFileWithoutEndMarker() throws {
    for name in ["sampling-420", "progressive"] {
      let bytes = try ImageFixtures.bytes("JPEG/\(name).jpg")
      #expect(try JPEG.decode(bytes.dropLast(2)) == JPEG.decode(bytes))
    }
  }
}
