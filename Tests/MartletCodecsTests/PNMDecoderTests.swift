import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct PNMDecoderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    var data: [UInt8] = []
    let size: [Int]
    let samples: [UInt8]

    var bytes: [UInt8] { Array(text.utf8) + data }
    var testDescription: String { text }
  }

  static let cases = [
    Case(text: "P1\n3 2\n1 0 1\n0 1 0", size: [3, 2, 1], samples: [0, 255, 0, 255, 0, 255]),
    Case(text: "P1 # black\n3 2 101#x\n010", size: [3, 2, 1], samples: [0, 255, 0, 255, 0, 255]),
    Case(text: "P2\n#c\n2 # c\n2\n4\n0 1 3 4\n", size: [2, 2, 1], samples: [0, 64, 191, 255]),
    Case(text: "P2 3 1 65535 0 32768 65535", size: [3, 1, 1], samples: [0, 128, 255]),
    Case(
      text: "P3\r\n1 2\r\n255\r\n1 2 3\r\n4 5 6", size: [1, 2, 3], samples: [1, 2, 3, 4, 5, 6]),
    Case(
      text: "P4\n10 2\n", data: [0b1010_0000, 0b0111_1111, 0b0000_0001, 0b1000_0000],
      size: [10, 2, 1],
      samples: [0, 255, 0, 255, 255, 255, 255, 255, 255, 0]
        + [255, 255, 255, 255, 255, 255, 255, 0, 0, 255]),
    Case(text: "P5 2 1 255\n", data: [35, 10, 99], size: [2, 1, 1], samples: [35, 10]),
    Case(text: "P5 2 1 15 ", data: [0, 15], size: [2, 1, 1], samples: [0, 255]),
    Case(text: "P5 2 1 256 ", data: [1, 0, 0, 128], size: [2, 1, 1], samples: [255, 128]),
    Case(text: "P6\n1 1\n255\n", data: [1, 2, 3], size: [1, 1, 3], samples: [1, 2, 3]),
    Case(
      text: "P6\n1 1\n65535\n", data: [0, 128, 0, 129, 255, 126], size: [1, 1, 3],
      samples: [0, 1, 254]),
    Case(
      text: "P7\nWIDTH 1\n# x\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
      data: [1, 2, 3, 4], size: [1, 1, 4], samples: [1, 2, 3, 4]),
    Case(
      text: "P7\nDEPTH 1\nMAXVAL 1\nWIDTH 2\nHEIGHT 1\nTUPLTYPE BLACKANDWHITE\nENDHDR\n",
      data: [1, 0], size: [2, 1, 1], samples: [255, 0]),
  ]

  @Test(arguments: cases)
  func decodesExactly(file: Case) throws {
    let raster = try PNM.decode(file.bytes)
    #expect([raster.width, raster.height, raster.channels] == file.size)
    #expect(raster.samples == file.samples)
  }

  @Test(arguments: ImageFixtures.names(in: "PNM"))
  func decodesFilesOfOtherEncoders(name: String) throws {
    let raster = try PNM.decode(ImageFixtures.bytes("PNM/\(name).pnm"))
    let expected = try ExpectedSamples("PNM/\(name).bin")
    #expect(raster.width == expected.width)
    #expect(raster.height == expected.height)
    #expect(raster.channels == expected.channels)
    #expect(raster.samples == expected.samples)
  }

  @Test func findsTheFixtures() {
    #expect(ImageFixtures.names(in: "PNM").count == 3)
  }

  @Test(arguments: 1...4)
  func writtenFilesRoundTrip(channels: Int) throws {
    let samples = (0..<5 * 3 * channels).map { UInt8($0 * 4) }
    let image = Raster(width: 5, height: 3, channels: channels, samples: samples)
    let file = PNM.encode(image)
    #expect(try PNM.decode(file) == image)
    #expect(file.starts(with: Array(["P5\n", "P7\n", "P6\n", "P7\n"][channels - 1].utf8)))
  }

  @Test(
    arguments: [
      ("", .badSignature), ("P", .badSignature), ("P8 1 1 255 x", .badSignature),
      ("P0 1 1 1", .badSignature), ("Q5 1 1 255 x", .badSignature),
      ("P5 0 1 255 x", .badSize(width: 0, height: 1)),
      ("P5 99999 99999 255 x", .badSize(width: 99999, height: 99999)),
      ("P5 1234567890 1 255 x", .badNumber(offset: 3)), ("P5 1x 1 255 x", .badNumber(offset: 4)),
      ("P5 -1 1 255 x", .badNumber(offset: 3)),
      ("P5 1 1 0 x", .badMaximum(0)), ("P5 1 1 65536 x", .badMaximum(65536)),
      ("P5 1 1 255", .truncated(offset: 10, count: 1, fileSize: 10)),
      ("P5 2 2 255 abc", .truncated(offset: 11, count: 4, fileSize: 14)),
      ("P4 9 2 abc", .truncated(offset: 7, count: 4, fileSize: 10)),
      ("P2 2 1 5 5 6", .sampleTooLarge(offset: 11, value: 6, maximum: 5)),
      ("P5 1 1 5 a", .sampleTooLarge(offset: 9, value: 97, maximum: 5)),
      ("P2 2 1 5 5 x", .badNumber(offset: 11)),
      ("P1 2 1 02", .sampleTooLarge(offset: 8, value: 2, maximum: 1)),
      ("P2 1000 1000 5 5", .truncated(offset: 15, count: 1_999_999, fileSize: 16)),
      ("P7 WIDTH 1 HEIGHT 1 ENDHDR x", .badDepth(0)),
      ("P7 WIDTH 1 HEIGHT 1 DEPTH 5 ENDHDR x", .badDepth(5)),
      ("P7 WIDTH 1 LENGTH 1", .badHeaderLine(offset: 11)), ("P7 ", .badHeaderLine(offset: 3)),
    ] as [(String, PNMError)])
  func rejectsBadFiles(text: String, expected: PNMError) {
    #expect(throws: expected) { try PNM.decode(Array(text.utf8), isStrict: true) }
  }

  /// Pillow with `LOAD_TRUNCATED_IMAGES` shows whole rows, and black for the others.
  @Test(
    arguments: [
      ("P5 2 2 255 abc", [97, 98, 0, 0], 11, 4),
      ("P4 9 2 \0\0", Array(repeating: 255, count: 9), 7, 4),
      ("P6 1 3 255 abcdef", [97, 98, 99, 100, 101, 102, 0, 0, 0], 11, 9),
    ] as [(String, [UInt8], Int, Int)])
  func missingRowsAreBlack(text: String, samples: [UInt8], offset: Int, size: Int) throws {
    let raster = try PNM.decode(Array(text.utf8))
    #expect(raster.samples.starts(with: samples))
    #expect(raster.samples.dropFirst(samples.count).allSatisfy { $0 == 0 })
    let damage = PNMError.truncated(offset: offset, count: size, fileSize: text.utf8.count)
    #expect(raster.warnings == [.pnm(damage)])
  }

  /// Pillow, OpenCV and ffmpeg show the images of such files, but do not agree on their samples.
  @Test(
    arguments: [
      ("P2 2 1 5 9 1", [255, 51], .sampleTooLarge(offset: 9, value: 9, maximum: 5)),
      ("P5 1 1 5 a", [255], .sampleTooLarge(offset: 9, value: 97, maximum: 5)),
      ("P2 2 1 5 5x1", [255, 51], .badNumber(offset: 10)),
      ("P1 2 1 04", [255, 0], .sampleTooLarge(offset: 8, value: 4, maximum: 1)),
    ] as [(String, [UInt8], PNMError)])
  func badSamplesAreBoundedOrSkipped(text: String, samples: [UInt8], damage: PNMError) throws {
    let raster = try PNM.decode(Array(text.utf8))
    #expect(raster.samples == samples)
    #expect(raster.warnings == [.pnm(damage)])
  }

  @Test func rowsThatAreAllMissingAreAnError() {
    #expect(throws: PNMError.truncated(offset: 11, count: 4, fileSize: 12)) {
      try PNM.decode(Array("P5 2 2 255 a".utf8))
    }
  }

  @Test(arguments: cases)
  func survivesDamage(file: Case) {
    var random = SplitMix64(seed: 5)
    for end in 0..<file.bytes.count {
      if let raster = try? PNM.decode(Array(file.bytes[..<end])) {
        #expect(raster.samples.count == file.samples.count)
      }
    }
    for _ in 0..<200 {
      if let raster = try? PNM.decode(file.bytes.damaged(count: 2, using: &random)) {
        #expect(raster.width * raster.height <= Limits.pixels)
      }
    }
  }
}
