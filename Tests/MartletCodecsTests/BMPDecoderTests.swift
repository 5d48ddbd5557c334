import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct BMPDecoderTests {
  @Test(arguments: ImageFixtures.names(in: "BMP"))
  func decodesExactly(name: String) throws {
    let raster = try BMP.decode(ImageFixtures.bytes("BMP/\(name).bmp"))
    let expected = try ExpectedSamples("BMP/\(name).bin")
    #expect(raster.width == expected.width)
    #expect(raster.height == expected.height)
    #expect(raster.channels == expected.channels)
    #expect(raster.samples == expected.samples)
  }

  @Test func findsTheFixtures() {
    #expect(ImageFixtures.names(in: "BMP").count == 36)
  }

  // MARK: Damaged files

  /// A file in which the numbers at some offsets are replaced, in little-endian order.
  private func edited(_ name: String, _ edits: [(offset: Int, value: UInt32)]) throws -> [UInt8] {
    var bytes = try ImageFixtures.bytes("BMP/\(name).bmp")
    for (offset, value) in edits {
      for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> (byte * 8)) }
    }
    return bytes
  }

  private func error(_ bytes: [UInt8]) -> BMPError? {
    do throws(BMPError) {
      _ = try BMP.decode(bytes, isStrict: true)
      return nil
    } catch {
      return error
    }
  }

  @Test func rejectsBadHeaders() throws {
    let file = "rgb24-header40"
    #expect(error([0x42]) == .badSignature)
    #expect(error(try edited(file, [(0, 0)])) == .badSignature)
    #expect(error(try edited(file, [(14, 41)])) == .unknownHeader(size: 41))
    #expect(error(try edited(file, [(18, 0)])) == .badSize(width: 0, height: 7))
    #expect(error(try edited(file, [(18, ~0)])) == .badSize(width: -1, height: 7))
    #expect(error(try edited(file, [(22, 0)])) == .badSize(width: 13, height: 0))
    #expect(error(try edited(file, [(22, 1 << 31)])) == .badSize(width: 13, height: 0))
    #expect(
      error(try edited(file, [(18, 1 << 20), (22, 1 << 20)]))
        == .badSize(width: 1 << 20, height: 1 << 20))
    #expect(error(try edited(file, [(10, 53)])) == .badDataOffset(53, minimum: 54))
    #expect(
      error(try edited(file, [(10, ~0)]))
        == .truncated(offset: 0xFFFF_FFFF, count: 280, fileSize: 334))
    #expect(
      error(try edited(file, [(22, 1 << 20)]))
        == .truncated(offset: 54, count: 40 << 20, fileSize: 334))
  }

  @Test func rejectsUnknownFormats() throws {
    for (depth, compression): (UInt32, UInt32) in [
      (24, 1), (24, 2), (24, 3), (24, 4), (24, 5), (24, 7), (3, 0), (0, 0), (64, 0), (8, 2), (4, 1),
      (8, 3), (0, 4), (0, 5),
    ] {
      // The word at 26 is the number of planes, then the depth.
      let bytes = try edited("rgb24-header40", [(26, depth << 16 | 1), (30, compression)])
      #expect(
        error(bytes) == .unsupportedFormat(bitDepth: Int(depth), compression: compression))
    }
    // OS/2's Huffman compression has the same code as Windows' bit masks.
    let os2 = try edited("palette4-os2v2", [(26, 32 << 16 | 1), (30, 3)])
    #expect(error(os2) == .unsupportedFormat(bitDepth: 32, compression: 3))
    let height = UInt32(bitPattern: -7)
    #expect(error(try edited("rle8", [(22, height)])) == .compressedFromTheTop(height: -7))
  }

  @Test func rejectsBadMasksAndPalettes() throws {
    #expect(
      error(try edited("rgb565", [(54, 0b101)])) == .badMask(0b101, bitDepth: 16))
    #expect(
      error(try edited("rgb565", [(58, 0x1F000)])) == .badMask(0x1F000, bitDepth: 16))
    #expect(error(try edited("palette8", [(10, 55)])) == .missingPalette)
    #expect(error(try edited("palette8", [(10, 54)])) == .badDataOffset(54, minimum: 1078))
  }

  /// The end marker of run-length coding is optional after the last row: "rle8" and "rle4" end with
  /// two pairs that mark it. The padding of the last row is optional too.
  @Test(arguments: [
    ("rgb24-header124", 1), ("rle8", 4), ("rle4", 4), ("rle4-delta", 0), ("rgb565", 2),
    ("palette1-os2", 2),
  ])
  func strictDecoderRejectsEveryTruncation(name: String, unused: Int) throws {
    let bytes = try ImageFixtures.bytes("BMP/\(name).bmp")
    for end in 0..<bytes.count - unused {
      #expect(throws: BMPError.self) { try BMP.decode(Array(bytes[..<end]), isStrict: true) }
    }
    #expect(throws: Never.self) {
      try BMP.decode(Array(bytes[..<(bytes.count - unused)]), isStrict: true)
    }
  }

  // MARK: Recovery

  /// Pillow with `LOAD_TRUNCATED_IMAGES` shows whole rows; the others have index or color 0.
  @Test(arguments: [
    ("rgb24-header40", true, 40, 1), ("rgb24-topdown", false, 40, 1), ("palette8", true, 16, 3),
    ("rgb565", true, 28, 2),
  ])
  func missingRowsAreBlackOrTheFirstColor(
    name: String, isBottomUp: Bool, rowBytes: Int, padding: Int
  ) throws {
    let bytes = try ImageFixtures.bytes("BMP/\(name).bmp")
    let whole = try BMP.decode(bytes)
    let start = Int(try #require(bytes.uint32(at: 10, .little)))
    var color: [UInt8] = [0, 0, 0]
    if name == "palette8" { color = [bytes[56], bytes[55], bytes[54]] }
    for missing in [3, rowBytes, 3 * rowBytes + 1] {
      let raster = try BMP.decode(Array(bytes.dropLast(missing)))
      let lost = (missing + rowBytes - 1 - padding) / rowBytes
      let black = (0..<13 * lost).flatMap { _ in color }
      let expected =
        isBottomUp
        ? black + whole.samples.dropFirst(39 * lost) : whole.samples.dropLast(39 * lost) + black
      #expect(raster.samples == expected)
      let damage = BMPError.truncated(
        offset: start, count: 7 * rowBytes, fileSize: bytes.count - missing)
      #expect(raster.warnings == (lost == 0 ? [] : [.bmp(damage)]))
    }
    let row = Array(bytes.prefix(start + rowBytes - 4))
    #expect(throws: BMPError.self) { try BMP.decode(row) }
  }

  @Test func runLengthCodeMayEndEarlyOrBeTopDown() throws {
    let bytes = try ImageFixtures.bytes("BMP/rle8.bmp")
    let whole = try BMP.decode(bytes)
    let cut = try BMP.decode(Array(bytes.dropLast(30)))
    #expect(cut.warnings.count == 1)
    #expect(cut.samples.suffix(39) == whole.samples.suffix(39))
    let flipped = try BMP.decode(edited("rle8", [(22, UInt32(bitPattern: -7))]))
    #expect(flipped.warnings == [.bmp(.compressedFromTheTop(height: -7))])
    #expect(flipped.samples.prefix(39) == whole.samples.suffix(39))
  }

  /// OpenCV and ffmpeg read later versions of the header, too.
  @Test func largerHeaderIsReadWithAWarning() throws {
    let whole = try ImageFixtures.bytes("BMP/rgb24-header124.bmp")
    var bytes = try edited("rgb24-header124", [(10, 14 + 168), (14, 168)])
    bytes.insert(contentsOf: [UInt8](repeating: 0, count: 44), at: 138)
    let raster = try BMP.decode(bytes)
    #expect(try raster.samples == BMP.decode(whole).samples)
    #expect(raster.warnings == [.bmp(.unknownHeader(size: 168))])
    let damaged = try BMP.decode(edited("rgb24-header124", [(14, 900)]))
    #expect(try damaged.samples == BMP.decode(whole).samples)
    #expect(damaged.warnings == [.bmp(.unknownHeader(size: 900))])
  }

  /// In WebAssembly, where `Int` has 32 bits, this size trapped; `.ci/check/wasm-hostile` decodes the same
  /// bytes there.
  @Test func rejectsHeaderOfTwoGigabytes() throws {
    let bytes = try ImageFixtures.bytes("Files/huge-header.bmp")
    #expect(throws: BMPError.truncated(offset: 14, count: 0xAE00_0028, fileSize: 334)) {
      try BMP.decode(bytes)
    }
  }

  @Test func pixelsCannotBeginWithThePalette() throws {
    let whole = try BMP.decode(ImageFixtures.bytes("BMP/palette8.bmp"))
    let raster = try BMP.decode(edited("palette8", [(10, 54)]))
    #expect(raster.samples == whole.samples)
    #expect(raster.warnings == [.bmp(.badDataOffset(54, minimum: 1078))])
  }

  @Test(arguments: ImageFixtures.names(in: "BMP"))
  func survivesDamage(name: String) throws {
    let bytes = try ImageFixtures.bytes("BMP/\(name).bmp")
    var random = SplitMix64(seed: 3)
    for _ in 0..<100 {
      let damaged = bytes.damaged(count: 2, from: 10, using: &random)
      if let raster = try? BMP.decode(damaged) {
        #expect(raster.width * raster.height <= Limits.pixels)
      }
    }
  }
}
