import MartletImage
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct TIFFTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    try ImageFixtures.bytes("TIFF/\(name).tif")
  }

  private func error(_ bytes: [UInt8], isStrict: Bool = false) -> TIFFError? {
    do throws(TIFFError) {
      _ = try TIFF.decode(bytes, isStrict: isStrict)
      return nil
    } catch { return error }
  }

  @Test(arguments: ImageFixtures.names(in: "TIFF"))
  func decodesExactly(name: String) throws {
    let raster = try TIFF.decode(bytes(name), isStrict: true)
    let expected = try ExpectedSamples("TIFF/\(name).bin")
    #expect(raster.width == expected.width)
    #expect(raster.height == expected.height)
    #expect(raster.channels == expected.channels)
    #expect(raster.samples == expected.samples)
    #expect(raster.orientation == (name == "orientation6" ? 6 : 1))
  }

  @Test func findsTheFixtures() {
    #expect(ImageFixtures.names(in: "TIFF").count == 68)
  }

  // MARK: Tags

  /// A file in which the first value of a tag is replaced, or its type.
  private func edited(
    _ name: String, _ tag: Int, value: Int? = nil, type: Int? = nil, newTag: Int? = nil
  ) throws -> [UInt8] {
    var bytes = try bytes(name)
    let start = Int(try #require(bytes.uint32(at: 4, .little)))
    let count = try #require(bytes.uint16(at: start, .little))
    let places = (0..<count).map { start + 2 + 12 * $0 }
    let entry = try #require(places.first { bytes.uint16(at: $0, .little) == tag })
    var place = entry + 8
    let isWide = bytes.uint16(at: entry + 2, .little) == 4
    let values = Int(try #require(bytes.uint32(at: entry + 4, .little)))
    if values * (isWide ? 4 : 2) > 4 {
      place = Int(try #require(bytes.uint32(at: place, .little)))
    }
    for byte in 0..<(isWide ? 4 : 2) {
      if let value { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
    }
    if let type { bytes[entry + 2] = UInt8(type) }
    if let newTag { (bytes[entry], bytes[entry + 1]) = (UInt8(newTag & 255), UInt8(newTag >> 8)) }
    return bytes
  }

  @Test(arguments: [
    (259, 2), (259, 3), (259, 4), (259, 6), (259, 50000), (262, 4), (262, 8), (262, 9), (258, 32),
    (258, 17),
  ])
  func rejectsUnsupportedValues(_ tag: Int, _ value: Int) throws {
    #expect(
      error(try edited("gray8-black", tag, value: value)) == .unsupported(tag: tag, value: value))
  }

  @Test func rejectsUnsupportedChroma() throws {
    let name = "ycbcr-22"
    #expect(error(try edited(name, 530, value: 3)) == .unsupported(tag: 530, value: 3))
    // Planes, and differences from the pixel to the left.
    #expect(error(try edited(name, 284, value: 2)) == .unsupported(tag: 530, value: 2))
    #expect(
      error(try edited(name, 284, value: 2, newTag: 317)) == .unsupported(tag: 317, value: 2))
  }

  @Test(arguments: [
    (259, 34925, "Compression 34925 (LZMA)"), (259, 3, "Compression 3 (fax)"),
    (259, 4, "Compression 4 (fax)"), (259, 6, "Compression 6 (old-style JPEG)"),
    (262, 8, "PhotometricInterpretation 8 (CIELab)"),
  ])
  func errorsExplainHowToConvert(_ tag: Int, _ value: Int, _ name: String) throws {
    let file = try edited("gray1-white", tag, value: value)
    #expect(
      error(file).map { "\($0)" } == """
        TIFF images with \(name) are not supported: convert the file to PNG, \
        e.g. with magick 'FILE[0]' out.png
        """)
  }

  @Test func rawImageIsNotItsPreview() throws {
    let raw = Array("II*\0\u{10}\0\0\0CR\u{2}\0".utf8)
    let error = #expect(throws: ImageFileError.self) { try ImageFile(decoding: raw) }
    #expect(error.map { "\($0)" }?.contains("a Canon raw image (CR2)") == true)
  }

  @Test func rejectsMissingAndBadTags() throws {
    let name = "rgb-none"
    for tag in [256, 257, 273] {
      #expect(error(try edited(name, tag, newTag: 40000)) == .missingTag(tag))
      #expect(error(try edited(name, tag, type: 5)) == .badTag(tag, value: 5))
    }
    #expect(error(try edited("palette8", 320, newTag: 40000)) == .missingTag(320))
    #expect(error(try edited(name, 277, value: 2)) == .badTag(277, value: 2))
    #expect(error(try edited(name, 278, value: 0)) == .badTag(278, value: 0))
    #expect(error(try edited(name, 256, value: 0)) == .badSize(width: 0, height: 8))
    #expect(error([]) == .badSignature)
    #expect(error(Array("II*".utf8)) == .badSignature)
    #expect(
      error(Array("II*\0\u{8}\0\0\0".utf8)) == .truncated(offset: 4, count: 4, fileSize: 8))
  }

  /// libtiff has the same defaults.
  @Test func defaultsFollowLibtiff() throws {
    let expected = try TIFF.decode(bytes("rgb-none")).samples
    #expect(try TIFF.decode(edited("rgb-none", 284, newTag: 40000)).samples == expected)
    #expect(try TIFF.decode(edited("rgb-lzw", 279, newTag: 40000)).samples == expected)
    #expect(try TIFF.decode(edited("rgb-one-strip", 278, newTag: 40000)).samples == expected)
    #expect(try TIFF.decode(edited("rgb-tiles", 324, newTag: 273)).samples == expected)
  }

  /// As FFmpeg guesses: three samples are RGB, one is gray with black as zero, or a palette's index.
  @Test(arguments: [
    "rgb-none", "gray8-black", "gray1-black", "palette8", "gray-alpha", "jpeg-gray",
  ])
  func missingInterpretationIsGuessedWithAWarning(name: String) throws {
    let file = try edited(name, 262, newTag: 40000)
    let raster = try TIFF.decode(file)
    #expect(raster.samples == (try TIFF.decode(bytes(name))).samples)
    #expect(raster.warnings == [.tiff(.missingTag(262))])
    #expect(error(file, isStrict: true) == .missingTag(262))
  }

  @Test func oneStripMayHaveAnyNumberOfRows() throws {
    let expected = try TIFF.decode(bytes("rgb-one-strip")).samples
    let isLong = try edited("rgb-one-strip", 278, value: 0xFFFF)
    #expect(try TIFF.decode(isLong, isStrict: true).samples == expected)
  }

  // MARK: Damaged files

  /// The first strip has three rows of 33 bytes; its offset is beyond the file.
  @Test(arguments: ["rgb-none", "rgb-lzw", "rgb-deflate", "rgb-packbits"])
  func missingSegmentsAreDamage(_ name: String) throws {
    let damage = TIFFError.missingData(segment: 0, count: 0, expected: 99)
    let edited = try edited(name, 273, value: 1 << 30)
    let raster = try TIFF.decode(edited)
    let rest = try TIFF.decode(bytes("rgb-none")).samples.dropFirst(99)
    #expect(raster.samples == [UInt8](repeating: 0, count: 99) + rest)
    #expect(raster.warnings.count == 1)
    if name != "rgb-deflate" {
      #expect(raster.warnings == [.tiff(damage)])
      #expect(error(edited, isStrict: true) == damage)
    }
  }

  @Test(arguments: ["ycbcr-22", "ycbcr-planar"])
  func missingChromaIsGray(name: String) throws {
    let raster = try TIFF.decode(edited(name, 273, value: 1 << 30))
    let whole = try TIFF.decode(bytes(name)).samples
    // A strip of four rows, or the luma of three.
    let rows = name == "ycbcr-22" ? 4 : 3
    #expect(raster.warnings.count == 1)
    if name == "ycbcr-22" { #expect(raster.samples.prefix(132).allSatisfy { $0 == 0 }) }
    #expect(raster.samples.dropFirst(33 * rows) == whole.dropFirst(33 * rows))
  }

  /// Without compression, Pillow with `LOAD_TRUNCATED_IMAGES` shows the rows that are complete.
  @Test func cutOffRowsAreBlack() throws {
    // The directory comes first in these files, the strip last.
    let bytes = try movedToEnd("rgb-one-strip", size: 33 * 8)
    let whole = try TIFF.decode(bytes, isStrict: true).samples
    for missing in [1, 33, 34, 200] {
      let cut = Array(bytes.dropLast(missing))
      let rows = (33 * 8 - missing) / 33
      let raster = try TIFF.decode(cut)
      #expect(
        raster.samples == whole.prefix(33 * rows) + [UInt8](repeating: 0, count: 33 * (8 - rows)))
      let damage = TIFFError.missingData(segment: 0, count: 33 * 8 - missing, expected: 33 * 8)
      #expect(raster.warnings == [.tiff(damage)])
      #expect(error(cut, isStrict: true) == damage)
    }
    #expect(
      error(Array(bytes.dropLast(33 * 8))) == .missingData(segment: 0, count: 0, expected: 1))
  }

  /// A file whose only strip is moved behind the directory.
  private func movedToEnd(_ name: String, size: Int) throws -> [UInt8] {
    let bytes = try bytes(name)
    let moved = try edited(name, 273, value: bytes.count)
    return moved + bytes[8..<8 + size]
  }

  @Test func badCodesAreDamage() throws {
    var bytes = try bytes("rgb-lzw")
    // The second code of the first strip.
    (bytes[9], bytes[10]) = (0x7F, 0xFF)
    let raster = try TIFF.decode(bytes)
    #expect(raster.warnings == [.tiff(.badCode(segment: 0, count: 0))])
    #expect(raster.samples.prefix(99) == [UInt8](repeating: 0, count: 99)[...])
    bytes = try self.bytes("rgb-deflate")
    bytes[11] ^= 0xFF
    #expect(throws: TIFFError.self) { try TIFF.decode(bytes, isStrict: true) }
    #expect(try TIFF.decode(bytes).warnings.count == 1)
  }

  @Test func memoryIsLimited() throws {
    // 88 pixels of three samples, a strip of three rows, three rows of bytes, and two numbers for
    // each strip.
    let needed = 88 * 3 + 99 + 99 + 3 * 16
    let bytes = try bytes("rgb-none")
    #expect(throws: Never.self) { try TIFF.decode(bytes, limits: ImageLimits(memory: needed)) }
    let excess = MemoryExcess(needed: Int64(needed), limit: Int64(needed - 1))
    #expect(throws: TIFFError.memory(excess)) {
      try TIFF.decode(bytes, limits: ImageLimits(memory: needed - 1))
    }
  }

  @Test(arguments: ImageFixtures.names(in: "TIFF"))
  func survivesDamage(name: String) throws {
    let bytes = try bytes(name)
    var random = SplitMix64(seed: 6)
    for _ in 0..<100 {
      let damaged = bytes.damaged(count: 3, from: 4, using: &random)
      // With the default limits, the work counts as in use.
      let work = DecodingWork(byteCount: damaged.count, .serial)
      let raster = try? TIFF.decode(damaged, DecodingOptions(.init(), isStrict: false, work: work))
      if let raster { #expect(raster.width * raster.height <= Limits.pixels) }
      // Steps of a nanosecond: a second for 100 million samples, and a second for a megabyte.
      let samples = raster.map { 8 * $0.samples.count } ?? 0
      #expect(work.done <= 40_000_000 + 10 * samples + 1_000 * damaged.count)
    }
    for end in stride(from: 0, to: bytes.count, by: 7) {
      _ = try? TIFF.decode(Array(bytes[..<end]))
    }
  }
}
