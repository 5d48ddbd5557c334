import MartletBase
import MartletSystem
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct PNGDamageTests: PNGBuilding {
  private func warnings(_ chunks: [[UInt8]]) throws -> [DecodingWarning] {
    try PNG.decode(PNGChunks.signature + chunks.joined()).warnings
  }

  /// The samples of ffmpeg or, if it reads none, of Pillow with LOAD_TRUNCATED_IMAGES.
  @Test(arguments: ImageFixtures.names(in: "PNG/Damaged"))
  func damagedFilesMatchOtherDecoders(name: String) throws {
    let bytes = try ImageFixtures.bytes("PNG/Damaged/\(name).png")
    let file = try ImageFile(decoding: bytes)
    #expect(file.image.pixels == (try ExpectedSamples("PNG/Damaged/\(name).bin").samples))
    #expect(!file.warnings.isEmpty)
    let workers = Workers.pool(count: 3)
    #expect(try ImageFile(decoding: bytes, workers: workers).image == file.image)
    guard case .png(let first)? = file.warnings.first else { return }
    #expect(throws: ImageFileError.png(first)) { try ImageFile(decoding: bytes, isStrict: true) }
  }

  @Test func findsTheFixtures() {
    #expect(ImageFixtures.names(in: "PNG/Damaged").count == 67)
  }

  /// A rendered scene of 96 x 72 pixels. Pillow 13.0 (with LOAD_TRUNCATED_IMAGES for the text's
  /// checksum) and ffmpeg read pixels with this CRC-32 from each file.
  @Test(arguments: [
    ("extra-pixel-data", "the image data is damaged: the compressed stream has more"),
    ("iend-crc", "the IEND chunk at byte 13540 has checksum 2923585666, expected "),
    ("text-crc", "the tEXt chunk at byte 33 has checksum "),
    ("without-iend", "expected 12 bytes at byte 13540, found the end of the file at 13540"),
  ])
  func readsTheWholeScene(name: String, warning: String) throws {
    let file = try ImageFile(decoding: ImageFixtures.bytes("PNG/Damaged/scene-\(name).png"))
    let pixels = file.image.pixels
    #expect(CRC32.checksum(pixels, range: pixels.indices) == 0x3C16_5B36)
    #expect(file.warnings.count == 1)
    #expect("\(file.warnings[0])".hasPrefix("PNG: " + warning))
  }

  /// Pillow 13.0, OpenCV 5.0 and ffmpeg return alternating red and green.
  @Test func ignoresExcessPaletteAlphas() throws {
    let bytes = try ImageFixtures.bytes("PNG/Damaged/trns-longer-than-palette.png")
    let file = try ImageFile(decoding: bytes)
    #expect(Array(file.image.pixels.prefix(6)) == [255, 0, 0, 0, 255, 0])
    #expect(CRC32.checksum(file.image.pixels, range: 0..<192) == 0xF6E5_45EE)
    #expect(file.warnings.count == 1)
  }

  /// Pillow and ffmpeg show black.
  @Test func indexedImageWithoutPaletteIsBlack() throws {
    let file = [header(color: 3), chunk("IDAT", pixels()), chunk("IEND")]
    let raster = try PNG.decode(PNGChunks.signature + file.joined())
    #expect(raster.samples == Array(repeating: 0, count: 12))
    #expect(raster.warnings == [.png(.missingPalette)])
  }

  @Test func reportsEachKindOfDamageOnceWithItsFirstOffset() throws {
    var text = chunk("tEXt", [1])
    text[12] ^= 1
    let file = [header(), text, text, chunk("IDAT", pixels([0, 1, 2, 0, 3, 4, 9])), text]
    let found = try warnings(file)
    #expect(found.count == 3)
    #expect("\(found[0])".hasPrefix("PNG: the tEXt chunk at byte 33 has checksum"))
    let size = 8 + file.joined().count
    #expect(found[1] == .png(.truncated(offset: size, count: 12, fileSize: size)))
    #expect(found[2] == .png(.imageData(.tooLong(offset: 3, expected: 6))))
  }

  @Test func ignoresThePixelsChecksum() throws {
    var data = pixels()
    data[data.count - 1] ^= 1
    let raster = try PNG.decode(
      PNGChunks.signature + [header(), chunk("IDAT", data), chunk("IEND")].joined())
    #expect(raster.samples == [1, 2, 3, 4])
    #expect(raster.warnings.count == 1)
  }

  /// No other decoder reads these files, except Pillow with LOAD_TRUNCATED_IMAGES.
  @Test func rejectsFilesWithoutPixels() throws {
    func error(_ chunks: [[UInt8]]) -> PNGError? {
      do throws(PNGError) {
        _ = try PNG.decode(PNGChunks.signature + chunks.joined())
        return nil
      } catch { return error }
    }
    let (data, end) = (chunk("IDAT", pixels()), chunk("IEND"))
    #expect(
      error([header(), chunk("IDAT", Array(pixels([0, 1]).dropLast(4))), end])
        == .imageData(.tooShort(produced: 2, expected: 6)))
    #expect(error([header(), end]) == .missingImageData)
    var damaged = header()
    damaged[30 - 8] ^= 1
    #expect(error([damaged, data, end]) != nil)
    #expect(error([header(), Array(chunk("tEXt", [1, 2, 3]).prefix(9))])?.isTruncation == true)
    #expect(error([header(), chunk("IDAT", [0x78, 1, 7]), end]) != nil)
  }

  @Test func errorNamesAppleVariant() {
    let file = [chunk("CgBI", [0x50, 0, 0x20, 6]), header(), chunk("IDAT", pixels())]
    #expect(throws: PNGError.appleVariant) { try warnings(file) }
    #expect("\(PNGError.appleVariant)".hasPrefix("the file is a CgBI PNG, made by Xcode for iOS:"))
  }

  /// A truncated file returns its complete rows, never another image.
  @Test(arguments: ["rgb8", "stored", "fixed"])
  func keepsCompleteRowsOfTruncatedFiles(name: String) throws {
    let bytes = try ImageFixtures.bytes("PNG/\(name).png")
    let whole = try PNG.decode(bytes)
    var most = 0
    for end in bytes.indices {
      guard let cut = try? PNG.decode(Array(bytes[..<end])) else {
        #expect(most == 0)
        continue
      }
      let rowBytes = whole.width * whole.channels
      let rows = (0..<whole.height).prefix { row in
        cut.samples[row * rowBytes..<(row + 1) * rowBytes]
          == whole.samples[row * rowBytes..<(row + 1) * rowBytes]
      }
      #expect(cut.samples.dropFirst(rows.count * rowBytes).allSatisfy { $0 == 0 })
      #expect(rows.count >= most)
      most = rows.count
    }
    #expect(most == whole.height)
  }
}

extension PNGError {
  fileprivate var isTruncation: Bool {
    if case .truncated = self { true } else { false }
  }
}
