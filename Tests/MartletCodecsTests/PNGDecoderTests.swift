import MartletBase
import MartletSystem
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct PNGDecoderTests: PNGBuilding {
  /// Filtered rows in several bands; bands are restored while later ones are inflated.
  @Test(arguments: [1, 2, 3])
  func returnsSameImageWithAnyWorkerCount(count: Int) throws {
    var random = SplitMix64(seed: 4)
    let samples = (0..<600 * 401 * 3).map {
      UInt8(truncatingIfNeeded: $0 / 3 % 600 / 2 + $0 / 9000)
    }
    .map { $0 &+ UInt8.random(in: 0...3, using: &random) }
    let image = Raster(width: 600, height: 401, channels: 3, samples: samples)
    let file = PNG.encode(image)
    let workers = Workers.pool(count: count)
    #expect(try PNG.decode(file, workers: workers) == image)
    let cut = Array(file.prefix(file.count / 2))
    #expect(throws: PNGError.self) { try PNG.decode(cut, isStrict: true, workers: workers) }
  }

  @Test(arguments: ImageFixtures.names(in: "PNG"))
  func decodesExactly(name: String) throws {
    let bytes = try ImageFixtures.bytes("PNG/\(name).png")
    let expected = try ExpectedSamples("PNG/\(name).bin")
    let raster = try PNG.decode(bytes)
    #expect(raster.width == expected.width)
    #expect(raster.height == expected.height)
    #expect(raster.channels == expected.channels)
    #expect(raster.samples == expected.highBytes)
    #expect(try PNG.decodeExactly(bytes).samples == expected.samples)
  }

  @Test func findsTheFixtures() {
    #expect(ImageFixtures.names(in: "PNG").count == 63)
  }

  @Test(arguments: 1...8)
  func readsTheOrientation(value: Int) throws {
    let raster = try PNG.decode(ImageFixtures.bytes("PNG/orientation\(value).png"))
    #expect(raster.orientation == value)
  }

  // MARK: Damaged files

  private func error(_ chunks: [[UInt8]], limits: ImageLimits = .init()) -> PNGError? {
    do throws(PNGError) {
      _ = try PNG.decode(
        PNGChunks.signature + chunks.joined(), limits: limits, isStrict: true)
      return nil
    } catch {
      return error
    }
  }

  @Test func acceptsTheSmallestFile() throws {
    let file = [header(), chunk("IDAT", pixels()), chunk("IEND")]
    #expect(error(file) == nil)
    let raster = try PNG.decode(PNGChunks.signature + file.joined() + [1, 2, 3])
    #expect(raster == Raster(width: 2, height: 2, channels: 1, samples: [1, 2, 3, 4]))
  }

  @Test func rejectsBadHeaders() {
    let rest = [chunk("IDAT", pixels()), chunk("IEND")]
    #expect(error([header(width: 0)] + rest) == .badSize(width: 0, height: 2))
    #expect(error([header(height: 0)] + rest) == .badSize(width: 2, height: 0))
    #expect(
      error([header(width: ~0, height: ~0)] + rest) == .badSize(width: ~0, height: ~0))
    #expect(
      error([header(width: 1 << 15, height: 1 << 14)] + rest)
        == .badSize(width: 1 << 15, height: 1 << 14))
    for (color, depth): (UInt8, UInt8) in [(1, 8), (5, 8), (7, 8), (0, 3), (2, 4), (3, 16), (6, 1)]
    {
      #expect(
        error([header(depth: depth, color: color)] + rest)
          == .badFormat(colorType: color, bitDepth: depth))
    }
    for methods: [UInt8] in [[1, 0, 0], [0, 1, 0], [0, 0, 2]] {
      #expect(
        error([header(methods: methods)] + rest)
          == .unknownMethod(
            compression: methods[0], filter: methods[1], interlace: methods[2]))
    }
    #expect(
      error([chunk("IHDR", [0])] + rest)
        == .badChunkLength(type("IHDR"), offset: 8, length: 1))
  }

  @Test func rejectsChunksOutOfPlace() {
    let (data, end) = (chunk("IDAT", pixels()), chunk("IEND"))
    let (palette, key) = (chunk("PLTE", [1, 2, 3]), chunk("tRNS", [0, 0]))
    let cases: [([[UInt8]], String, Int)] = [
      ([data, end], "IDAT", 8),
      ([header(), header(), data, end], "IHDR", 33),
      ([header(), data, palette, end], "PLTE", 33 + data.count),
      ([header(), palette, palette, data, end], "PLTE", 33 + palette.count),
      ([header(), key, palette, data, end], "PLTE", 33 + key.count),
      ([header(), key, key, data, end], "tRNS", 33 + key.count),
      ([header(), data, key, end], "tRNS", 33 + data.count),
      ([header(), data, chunk("tEXt"), data, end], "IDAT", 33 + data.count + 12),
      ([header(color: 3), key, palette, data, end], "tRNS", 33),
    ]
    for (file, name, offset) in cases {
      #expect(error(file) == .misplacedChunk(type(name), offset: offset))
    }
  }

  @Test func rejectsBadChunks() {
    let (data, end) = (chunk("IDAT", pixels()), chunk("IEND"))
    #expect(
      error([header(), chunk("ABCD"), data, end])
        == .unknownCriticalChunk(type("ABCD"), offset: 33))
    #expect(error([header(), chunk("abCD"), data, end]) == nil)
    for length in [0, 2, 769, 771] {
      #expect(
        error([header(), chunk("PLTE", [UInt8](repeating: 0, count: length)), data, end])
          == .badChunkLength(type("PLTE"), offset: 33, length: length))
    }
    #expect(
      error([header(), chunk("tRNS", [0]), data, end])
        == .badChunkLength(type("tRNS"), offset: 33, length: 1))
    #expect(
      error([header(color: 2), chunk("tRNS", [0, 0]), data, end])
        == .badChunkLength(type("tRNS"), offset: 33, length: 2))
    #expect(
      error([header(color: 3), chunk("PLTE", [1, 2, 3]), chunk("tRNS", [0, 0]), data, end])
        == .badChunkLength(type("tRNS"), offset: 48, length: 2))
    #expect(error([header(color: 3), data, end]) == .missingPalette)
    #expect(error([header(), end]) == .missingImageData)
  }

  @Test func rejectsBadImageData() {
    let end = chunk("IEND")
    #expect(
      error([header(), chunk("IDAT", pixels([0, 1, 2, 5, 3, 4])), end]) == .badFilter(5, row: 1))
    #expect(
      error([header(), chunk("IDAT", pixels([0, 1, 2, 0, 3])), end])
        == .imageData(.tooShort(produced: 5, expected: 6)))
    #expect(
      error([header(), chunk("IDAT", pixels([0, 1, 2, 0, 3, 4, 0])), end])
        == .imageData(.tooLong(offset: 3, expected: 6)))
  }

  /// A header may declare 2^27 pixels, but not for a file of a few bytes.
  @Test func allocatesNoMoreThanDataCanHold() {
    let large = header(width: 1 << 14, height: 1 << 13, depth: 16, color: 6)
    #expect(
      error(
        [large, chunk("IDAT", pixels()), chunk("IEND")], limits: ImageLimits(memory: 1 << 40))
        == .imageData(.tooShort(produced: 0, expected: (1 << 17 + 1) * 1 << 13)))
  }

  @Test func rejectsEveryTruncation() throws {
    let bytes = try ImageFixtures.bytes("PNG/rgb8-adam7.png")
    for end in 0..<bytes.count {
      #expect(throws: PNGError.self) { try PNG.decode(Array(bytes[..<end]), isStrict: true) }
    }
  }

  @Test func rejectsEveryChangedByte() throws {
    let bytes = try ImageFixtures.bytes("PNG/palette4-trns.png")
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x10
      #expect(throws: PNGError.self) { try PNG.decode(changed, isStrict: true) }
    }
  }

  /// Damage with a correct checksum reaches the later stages.
  @Test(arguments: ["rgb8-adam7", "gray1", "palette2-trns", "rgba16", "idat-split"])
  func survivesDamage(name: String) throws {
    let bytes = try ImageFixtures.bytes("PNG/\(name).png")
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      var damaged = bytes.damaged(count: 2, from: 16, using: &random)
      var offset = 8
      while let length = damaged.uint32(at: offset, .big), length < damaged.count - offset - 11 {
        let end = offset + 8 + Int(length)
        let crc = word(CRC32.checksum(damaged, range: offset + 4..<end))
        damaged.replaceSubrange(end..<end + 4, with: crc)
        offset = end + 4
      }
      if let raster = try? PNG.decode(damaged) {
        #expect(raster.width * raster.height <= Limits.pixels)
      }
    }
  }
}
