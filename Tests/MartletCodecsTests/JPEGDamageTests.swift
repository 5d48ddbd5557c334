import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct JPEGDamageTests {
  private static let small = [
    "sampling-420", "progressive-restart", "restart-3B", "cmyk", "scans-apart", "dnl",
  ]

  // MARK: Truncated files

  /// Every shorter file is an error, except one that lacks only the end marker.
  @Test(arguments: small)
  func rejectsEveryTruncation(name: String) throws {
    let bytes = try ImageFixtures.bytes("JPEG/\(name).jpg")
    let tail = name == "dnl" ? 8 : 2
    for count in 0..<bytes.count - tail {
      #expect(JPEGFile.error(Array(bytes[..<count])) != nil, "\(count) bytes")
    }
  }

  @Test func reportsWhereScanIsTruncated() throws {
    let bytes = try ImageFixtures.bytes("JPEG/sampling-444.jpg")
    let cut = bytes.count - 300
    guard
      case .truncatedScan(scan: 0, let unit, count: 35, let offset) = JPEGFile.error(
        Array(bytes[..<cut]))
    else {
      Issue.record("no scan cut off")
      return
    }
    #expect(cut - 1...cut ~= offset)
    #expect(1..<35 ~= unit)
  }

  @Test func reportsScansOfTruncatedProgressiveImage() throws {
    let bytes = try ImageFixtures.bytes("JPEG/progressive.jpg")
    let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    #expect(scans.count == 10)
    // The tables of the last scan precede it.
    let last = try #require(bytes[..<scans[9]].lastIndex { $0 == 0xC4 }) - 1
    #expect(
      JPEGFile.error(Array(bytes[..<last])) == .incomplete(offset: last, scans: 9))
  }

  @Test func rejectsImageWithMissingComponents() throws {
    let bytes = try ImageFixtures.bytes("JPEG/scans-apart.jpg")
    let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    let cut = Array(bytes[..<scans[2]]) + JPEGFile.end
    #expect(JPEGFile.error(cut) == .incomplete(offset: scans[2], scans: 2))
  }

  // MARK: Invalid codes

  /// Gray blocks, where codes of ones are invalid; see `JPEGFile.tables`.
  private func file(_ data: [UInt8], width: Int = 8, restart: Int? = nil) -> [UInt8] {
    let interval = restart.map { JPEGFile.segment(0xDD, JPEGFile.word($0)) } ?? []
    return JPEGFile.start + JPEGFile.steps() + JPEGFile.frame(width: width) + JPEGFile.tables
      + interval + JPEGFile.scan() + data + JPEGFile.end
  }

  @Test func reportsUnitOfInvalidCode() {
    // 10 1010 0 is a block, 11 is not a code.
    let bytes = file([0b1010_1001, 0b1100_0000, 0, 0, 0, 0, 0, 0, 0], width: 16)
    guard case .corruptScan(scan: 0, unit: 1, count: 2, _) = JPEGFile.error(bytes) else {
      Issue.record("\(String(describing: JPEGFile.error(bytes)))")
      return
    }
  }

  @Test func rejectsCoefficientsBeyondTheBlock() {
    // 10 skips fifteen zeros and has one bit, so the fourth coefficient has number 64.
    let tables = JPEGFile.table(0x00, [0]) + JPEGFile.table(0x10, [0, 0xF1])
    let bytes =
      JPEGFile.start + JPEGFile.steps() + JPEGFile.frame() + tables + JPEGFile.scan()
      + [0b0101_1011, 0b0110_1111, 1, 2, 3, 4]
    guard case .corruptScan(scan: 0, unit: 0, count: 1, _) = JPEGFile.error(bytes) else {
      Issue.record("\(String(describing: JPEGFile.error(bytes)))")
      return
    }
  }

  // MARK: Restart markers

  private let broken: [UInt8] = [0b1111_0000, 0, 0, 0, 0, 0, 0, 0]

  @Test func keepsIntactRestartIntervals() throws {
    let data = JPEGFile.block + [0xFF, 0xD0] + broken + [0xFF, 0xD1] + JPEGFile.block
    let bytes = file(data, width: 24, restart: 1)
    let image = try JPEG.decodeFrame(of: bytes, at: 0)
    #expect(image.end == bytes.count)
    #expect(
      image.raster.samples[..<24] == [138, 128, 138].flatMap { repeatElement($0, count: 8) }[...])
    guard case .corruptScan(scan: 0, unit: 1, count: 3, _) = image.damage else {
      Issue.record("\(String(describing: image.damage))")
      return
    }
    #expect(JPEGFile.error(bytes) == image.damage)
  }

  @Test func skipsMissingInterval() throws {
    let data = JPEGFile.block + [0xFF, 0xD1] + JPEGFile.block
    let image = try JPEG.decodeFrame(of: file(data, width: 24, restart: 1), at: 0)
    #expect(
      image.raster.samples[..<24] == [138, 128, 138].flatMap { repeatElement($0, count: 8) }[...])
    #expect(image.damage != nil)
  }

  @Test func damageBetweenRestartMarkersIsAWarningOrAStrictError() throws {
    let bytes = file(JPEGFile.block + [0xFF, 0xD1] + JPEGFile.block, width: 24, restart: 1)
    let damage = try #require(try JPEG.decodeFrame(of: bytes, at: 0).damage)
    #expect(try JPEG.decode(bytes).warnings == [.jpeg(damage)])
    #expect(throws: damage) { try JPEG.decode(bytes, isStrict: true) }
  }

  /// Pillow 13.0 decodes the same samples: the block after the marker, then gray.
  @Test func acceptsRestartMarkerFarOutOfOrder() throws {
    let data = JPEGFile.block + [0xFF, 0xD5] + JPEGFile.block
    let bytes = file(data, width: 80, restart: 1)
    let decoded = try JPEG.decodeFrame(of: bytes, at: 0)
    #expect(
      decoded.raster.samples[..<80]
        == [UInt8](repeating: 138, count: 16) + [UInt8](repeating: 128, count: 64)[...])
    #expect(decoded.damage != nil)
    #expect(JPEGFile.error(bytes) == decoded.damage)
  }

  @Test func skipsBytesBeforeRestartMarker() throws {
    let data = JPEGFile.block + [0x55, 0xFF, 0x00, 0xFF, 0xFF, 0xD0] + JPEGFile.block
    #expect(
      try JPEG.decode(file(data, width: 16, restart: 1)).samples
        == Array(repeating: 138, count: 128))
  }

  // MARK: Decompression bombs

  @Test func stopsAtTheLimitOfScans() {
    let head = JPEGFile.start + JPEGFile.steps() + JPEGFile.frame(0xC2) + JPEGFile.tables
    // A first DC scan, then many scans of the next band, each with an end-of-block code.
    let first = JPEGFile.scan(end: 0) + JPEGFile.block
    let next = JPEGFile.scan(start: 1) + [0x7F]
    let offset = head.count + first.count + (Limits.scans - 1) * next.count
    #expect(
      JPEGFile.error(head + first + repeatElement(next, count: Limits.scans).joined())
        == .tooManyScans(limit: Limits.scans, offset: offset))
    #expect(
      JPEGFile.error(head + first + repeatElement(next, count: Limits.scans - 1).joined()) == nil)
  }

  // MARK: Noise

  @Test(arguments: small + ["progressive-by-coefficient", "sampling-442", "standard-tables"])
  func survivesChangedBytes(name: String) throws {
    let bytes = try ImageFixtures.bytes("JPEG/\(name).jpg")
    var random = SplitMix64(seed: 20)
    for count in [1, 2, 5, 20] {
      for _ in 0..<60 {
        let damaged = bytes.damaged(count: count, using: &random)
        if let image = try? JPEG.decodeFrame(of: damaged, at: 0) {
          #expect(image.end <= damaged.count)
        }
      }
    }
  }

  @Test func survivesNoiseInTheScan() throws {
    var random = SplitMix64(seed: 21)
    for name in ["sampling-420", "progressive-444", "restart-1B"] {
      let bytes = try ImageFixtures.bytes("JPEG/\(name).jpg")
      let scan = try #require(
        bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
      for _ in 0..<40 {
        let noise = (0..<600).map { _ in UInt8.random(in: 0...255, using: &random) }
        _ = try? JPEG.decodeFrame(of: bytes[..<(scan + 14)] + noise, at: 0)
      }
    }
  }
}
