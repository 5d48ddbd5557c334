import MartletBase
import MartletTestSupport
import Testing

@testable import MartletCodecs

/// Files of few bytes that ask for much work. `Tests/Fuzzing/bombs.py` has more, and measures them.
@Suite struct DecodingBombTests {
  private func tiffError(_ file: [UInt8], isStrict: Bool = false) -> TIFFError? {
    do throws(TIFFError) {
      _ = try TIFF.decode(file, isStrict: isStrict)
      return nil
    } catch { return error }
  }

  /// A gray TIFF file of this size whose `count` tiles or strips all have the same bytes.
  private func tiff(
    width: Int, height: Int, compression: Int = 1, tile: (width: Int, height: Int)? = nil,
    rows: Int = 1, count: Int, _ data: [UInt8]
  ) -> [UInt8] {
    var entries = [
      (256, [width]), (257, [height]), (258, [8]), (259, [compression]), (262, [1]),
      (tile == nil ? 273 : 324, [Int](repeating: 8, count: count)),
      (tile == nil ? 279 : 325, [Int](repeating: data.count, count: count)),
    ]
    if let tile {
      entries += [(322, [tile.width]), (323, [tile.height])]
    } else {
      entries.append((278, [rows]))
    }
    let start = 8 + data.count
    let after = start + 2 + 12 * entries.count + 4
    var (directory, values) = ([UInt8(entries.count), 0], [UInt8]())
    for (tag, numbers) in entries.sorted(by: { $0.0 < $1.0 }) {
      let bytes = numbers.flatMap(long)
      directory += [UInt8(tag & 255), UInt8(tag >> 8), 4, 0] + long(numbers.count)
      directory += numbers.count == 1 ? bytes : long(after + values.count)
      if numbers.count > 1 { values += bytes }
    }
    return Array("II*\0".utf8) + long(start) + data + directory + long(0) + values
  }

  private func long(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The limit of a file: 33,554,432 steps, 256 for each byte, and 4 for each sample, stored and
  /// returned.
  private func excess(bytes: Int, samples: Int) -> DecodingStop {
    .tooMuchWork(limit: Int64(33_554_432 + 256 * bytes + 8 * samples))
  }

  // MARK: TIFF

  @Test func refusesTilesLongerThanAnyImage() {
    let file = tiff(width: 1, height: 100, tile: (60_000_000, 1), count: 100, [1, 2, 3, 4])
    #expect(tiffError(file) == .badTag(322, value: 60_000_000))
    let high = tiff(width: 1, height: 100, tile: (1, 60_000_000), count: 1, [1, 2, 3, 4])
    #expect(tiffError(high) == .badTag(323, value: 60_000_000))
  }

  @Test(arguments: [(1, [UInt8](repeating: 7, count: 8)), (5, [0x80, 0x40, 0x20, 0x10])])
  func refusesTilesThatTogetherAreFarLargerThanTheImage(
    _ compression: Int, _ data: [UInt8]
  ) {
    let file = tiff(
      width: 1, height: 100, compression: compression, tile: (1_000_000, 1), count: 100, data)
    #expect(tiffError(file) == .stopped(excess(bytes: file.count, samples: 100)))
  }

  @Test(arguments: [256, 512, 1024, 4096])
  func decodesASmallImageInALargeTile(side: Int) throws {
    let row = [UInt8](0..<10) + [UInt8](repeating: 0, count: side - 10)
    let data = Array(repeatElement(row, count: 10).joined())
    let file = tiff(width: 10, height: 10, tile: (side, side), count: 1, data)
    let raster = try TIFF.decode(file, isStrict: true)
    #expect(raster.samples == Array(repeatElement([UInt8](0..<10), count: 10).joined()))
  }

  @Test func comparesTheFrameOfAJPEGSegmentWithTheSegment() {
    let image =
      JPEGFile.start + JPEGFile.steps() + JPEGFile.frame(width: 7900, height: 7900)
      + JPEGFile.tables + JPEGFile.scan() + JPEGFile.block + JPEGFile.end
    let file = tiff(width: 16, height: 4000, compression: 7, rows: 16, count: 250, image)
    #expect(
      tiffError(file, isStrict: true)
        == .badSegmentSize(segment: 0, width: 7900, height: 7900, samples: 1))
    #expect(tiffError(file) == .missingData(segment: 0, count: 0, expected: 1))
  }

  @Test func jpegSegmentGetsTheRestOfTheMemory() throws {
    let image =
      JPEGFile.start + JPEGFile.steps() + JPEGFile.frame(width: 8, height: 8)
      + JPEGFile.tables + JPEGFile.scan() + JPEGFile.block + JPEGFile.end
    let file = tiff(width: 8, height: 8, compression: 7, rows: 8, count: 1, image)
    // Gray, RGB, the segment, three rows and two numbers; the data and their samples.
    let needed = 64 + 192 + 64 + 24 + 16 + image.count + 64
    #expect(
      try TIFF.decode(file, limits: .init(memory: needed)).samples
        == [UInt8](repeating: 138, count: 64))
    let excess = MemoryExcess(needed: Int64(needed), limit: Int64(needed - 1))
    #expect(throws: TIFFError.memory(excess)) {
      try TIFF.decode(file, limits: .init(memory: needed - 1))
    }
  }

  @Test func refusesSegmentsThatReadTheSameBytesAgainAndAgain() {
    // PackBits: a byte without effect.
    let data = [UInt8](repeating: 0x80, count: 10_000)
    let file = tiff(
      width: 4, height: 20_000, compression: 32773, count: 20_000, data)
    #expect(tiffError(file) == .stopped(excess(bytes: file.count, samples: 80_000)))
  }

  // MARK: JPEG

  /// Each scan has codes of runs over all blocks.
  @Test func refusesManyScansOfALargeImage() {
    let head =
      JPEGFile.start + JPEGFile.steps() + JPEGFile.frame(0xC2, width: 2000, height: 2000)
      + JPEGFile.table(0x00, [0]) + JPEGFile.table(0x10, [0xE0])
    // Two codes: 0, and fourteen ones.
    let run: [UInt8] = [0x7F, 0xFE, 0xFF, 0, 0xFF, 0]
    let file =
      head + JPEGFile.scan(end: 0) + [0]
      + repeatElement(JPEGFile.scan(start: 1) + run, count: 199).joined()
    let stop = excess(bytes: file.count, samples: 4_000_000)
    #expect(throws: JPEGError.stopped(stop)) { try JPEG.decode(file) }
    // Twelve scans, as of encoders, are decoded.
    let usual =
      head + JPEGFile.scan(end: 0) + [0]
      + repeatElement(JPEGFile.scan(start: 1) + run, count: 11).joined()
    #expect(throws: Never.self) { try JPEG.decode(usual) }
  }

  // MARK: Interruption

  @Test(arguments: ["PNG", "JPEG", "PNM"])
  func decodersAskAtRegularIntervals(format: String) throws {
    let raster = Raster(
      width: 2000, height: 2000, channels: 3, samples: [UInt8](repeating: 99, count: 12_000_000))
    let file =
      switch format {
      case "PNG": PNG.encode(raster)
      case "JPEG": try JPEG.encode(raster)
      default: Array("P6 2000 2000 254\n".utf8) + raster.samples
      }
    let calls = CallCounter()
    let check = CancellationCheck { calls.next() > 20 ? .cancelled : nil }
    // At least one call for 262,144 of 12,000,000 bytes.
    #expect(throws: ImageFileError.interrupted(.cancelled)) {
      try ImageFile(decoding: file, workers: Workers.serial.checking(check))
    }
    #expect(calls.count == 21)
  }
}
