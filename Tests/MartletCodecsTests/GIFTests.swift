import MartletBase
import MartletImage
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct GIFTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    try ImageFixtures.bytes("GIF/\(name).gif")
  }

  private func error(_ bytes: [UInt8], isStrict: Bool = false) -> GIFError? {
    do throws(GIFError) {
      _ = try GIF.decode(bytes, isStrict: isStrict)
      return nil
    } catch { return error }
  }

  @Test(arguments: ImageFixtures.names(in: "GIF"))
  func decodesExactly(name: String) throws {
    let raster = try GIF.decode(bytes(name), isStrict: !name.contains("no-end-code"))
    let expected = try ExpectedSamples("GIF/\(name).bin")
    #expect(raster.width == expected.width)
    #expect(raster.height == expected.height)
    #expect(raster.channels == expected.channels)
    #expect(raster.samples == expected.samples)
    #expect(raster.warnings.isEmpty)
  }

  @Test func findsTheFixtures() {
    #expect(ImageFixtures.names(in: "GIF").count == 23)
    #expect(ImageFixtures.names(in: "GIF/Damaged").count == 9)
  }

  // MARK: Animations

  /// The frames and the CRC-32 of the RGB samples that Pillow 13.0 reads.
  @Test(arguments: [
    ("disposals", 8, 0xBA59_E972),
    ("background-beyond-table", 8, 0xCBB3_53CD),
    ("local-tables", 4, 0xE6CF_B8F4),
    ("part-first", 2, 0x6317_6BFF),
  ])
  func composesFrames(_ name: String, _ count: Int, _ checksum: UInt32) throws {
    var reader = try GIFReader(ByteSource(bytes("Animated/\(name)")), isStrict: true)
    var samples: [UInt8] = []
    for _ in 0..<count { samples += try #require(try reader.next()).pixels }
    #expect(try reader.next() == nil)
    #expect(CRC32.checksum(samples, range: samples.indices) == checksum)
  }

  @Test func firstFrameIsTheImage() throws {
    let bytes = try bytes("Animated/disposals")
    var reader = try GIFReader(ByteSource(bytes))
    #expect(reader.rate == (100, 7))
    #expect(try reader.next() == ImageFile(decoding: bytes).image)
  }

  @Test func clipsLaterFrames() throws {
    // The third frame, at (5, 5), is moved out of the canvas of 20 x 15 pixels.
    var bytes = try bytes("Animated/disposals")
    let descriptor: [UInt8] = [0x2C, 5, 0, 5, 0, 9, 0, 8, 0]
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: descriptor) })
    for (x, y) in [(19, 14), (20, 5), (5, 15), (255, 255)] {
      (bytes[place + 1], bytes[place + 3]) = (UInt8(x), UInt8(y))
      var reader = try GIFReader(ByteSource(bytes), isStrict: true)
      for _ in 0..<8 { #expect(try reader.next()?.width == 20) }
    }
  }

  // MARK: Damaged files

  /// The samples are Pillow's with `LOAD_TRUNCATED_IMAGES`.
  @Test(
    arguments: [
      ("cut-block", [.truncated(offset: 94, count: 14), few(45)]),
      ("cut-between-blocks", [.truncated(offset: 93, count: 1), few(45)]),
      ("no-data", [.truncated(offset: 72, count: 1), few(0)]),
      ("early-end-code", [few(50)]), ("early-end-transparent", [few(50)]),
      ("bad-code", [.badCode(frame: 0, count: 4)]),
      ("bad-first-code", [.badCode(frame: 0, count: 2)]),
      ("stray-bytes", [.unknownBlock(97, offset: 61)]),
      ("long-control", [.badControl(offset: 63, length: 5)]),
    ] as [(String, [GIFError])])
  func recoversFromDamage(name: String, _ damage: [GIFError]) throws {
    let raster = try GIF.decode(bytes("Damaged/\(name)"))
    #expect(raster.samples == (try ExpectedSamples("GIF/Damaged/\(name).bin")).samples)
    #expect(raster.warnings == damage.map { .gif($0) })
    #expect(error(try bytes("Damaged/\(name)"), isStrict: true) == damage.first)
  }

  private static func few(_ count: Int) -> GIFError {
    .missingPixels(frame: 0, count: count, expected: 88)
  }

  @Test func rejectsBadHeaders() throws {
    let file = try bytes("bits4")
    #expect(error([]) == .badSignature)
    #expect(error(Array("GIF88a".utf8) + file.dropFirst(6)) == .badSignature)
    #expect(error(Array(file.prefix(12))) == .truncated(offset: 12, count: 13))
    #expect(error(Array(file.prefix(60))) == .truncated(offset: 13, count: 48))
    #expect(error(Array(file.prefix(61))) == .missingImage)
    #expect(error(file.prefix(61) + [0x3B]) == .missingImage)
    #expect(error(Array(file.prefix(70))) == .truncated(offset: 70, count: 9))
    #expect(error(Array(file.prefix(71))) == .truncated(offset: 71, count: 1))
    var edited = file
    edited[71] = 12
    #expect(error(edited) == .badCodeSize(frame: 0, bits: 12))
    edited = file
    edited[66] = 0
    #expect(error(edited) == .badSize(width: 0, height: 8))
    (edited[66], edited[67], edited[68], edited[69]) = (255, 255, 255, 255)
    #expect(error(edited) == .badSize(width: 65535, height: 65535))
  }

  @Test func memoryIsLimited() throws {
    // 88 pixels: three samples and an index each, and the codes.
    let bytes = try bytes("bits1")
    let needed = 88 * 4 + 14
    #expect(throws: Never.self) { try GIF.decode(bytes, limits: ImageLimits(memory: needed)) }
    #expect(throws: GIFError.memory(MemoryExcess(needed: 366, limit: 365))) {
      try GIF.decode(bytes, limits: ImageLimits(memory: needed - 1))
    }
  }

  /// Frames of 10 x 10 zeros that restore the canvas. Each zero follows a clear code: six bits.
  private func restoringFrames(_ count: Int) -> [UInt8] {
    let screen: [UInt8] = [10, 0, 10, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    let codes = [[UInt8]](repeating: [0x04, 0x41, 0x10], count: 25).flatMap { $0 }
    let frame: [UInt8] =
      [0x21, 0xF9, 4, 3 << 2, 0, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 10, 0, 10, 0, 0, 2]
      + [UInt8(codes.count)] + codes + [0]
    return Array("GIF89a".utf8) + screen
      + [[UInt8]](repeating: frame, count: count).flatMap { $0 } + [0x3B]
  }

  @Test func framesCountTheirCopiesTowardTheLimit() throws {
    // 100 pixels: three samples each of the canvas, of the frame before and of what is restored, an
    // index; and 75 bytes of codes.
    let needed = 3 * 300 + 100 + 75
    let bytes = restoringFrames(2)
    var reader = try GIFReader(ByteSource(bytes), limits: ImageLimits(memory: needed))
    for _ in 0..<2 { #expect(try reader.next()?.pixels == Array(repeating: 0, count: 300)) }
    #expect(try reader.next() == nil)
    #expect(throws: GIFError.memory(MemoryExcess(needed: 1075, limit: 1074))) {
      try GIFReader(ByteSource(bytes), limits: ImageLimits(memory: needed - 1))
    }
  }

  /// While codes are read, the canvas is in memory: 300 bytes twice.
  @Test func codesOfALaterFrameCountTowardTheLimit() throws {
    var bytes = restoringFrames(2)
    bytes.removeLast(78)
    for _ in 0..<100 { bytes += [255] + [UInt8](repeating: 0, count: 255) }
    var reader = try GIFReader(ByteSource(bytes), limits: ImageLimits(memory: 2000))
    _ = try reader.next()
    // With two blocks these are 600 + 3 · 510 bytes.
    #expect(throws: GIFError.memory(MemoryExcess(needed: 2130, limit: 2000))) { try reader.next() }
  }

  @Test func interruptionEndsWithTheFrame() throws {
    let starts = Mutex(0)
    let check = CancellationCheck(startingWith: {
      starts.increase() == 2 ? CancellationCheck { .cancelled } : .never
    })
    var reader = try GIFReader(
      ByteSource(restoringFrames(2)), workers: .serial.checking(check))
    #expect(throws: GIFError.stopped(.interrupted(.cancelled))) { try reader.next() }
    #expect(try reader.next() != nil)
    #expect(try reader.next() == nil)
  }

  /// Half a million bytes of zeros between blocks, which are valid, are no endless work.
  @Test func zerosBetweenFramesAreSkipped() throws {
    var bytes = restoringFrames(1)
    bytes.insert(contentsOf: [UInt8](repeating: 0, count: 2 << 20), at: 19)
    var reader = try GIFReader(ByteSource(bytes))
    #expect(try reader.next() != nil)
  }

  @Test(arguments: ImageFixtures.names(in: "GIF"))
  func survivesDamage(name: String) throws {
    let bytes = try bytes(name)
    var random = SplitMix64(seed: 5)
    for _ in 0..<100 {
      let damaged = bytes.damaged(count: 2, from: 6, using: &random)
      guard var reader = try? GIFReader(ByteSource(damaged), limits: ImageLimits(memory: 1 << 22))
      else { continue }
      while let frame = try? reader.next() { #expect(frame.width > 0) }
    }
  }
}
