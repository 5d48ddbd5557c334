import MartletBase
import MartletTestSupport
import Testing

@testable import MartletCodecs

/// Images that libtiff compressed; see `TIFF/make.py`.
@Suite struct CCITTFaxTests {
  static let names = Fixtures.files(in: "TIFF/fax", withExtension: "tif").map {
    $0.deletingPathExtension().lastPathComponent
  }

  private func checksum(_ raster: Raster) -> UInt32 {
    CRC32.checksum(raster.samples, range: raster.samples.indices)
  }

  @Test(arguments: names)
  func decodesTheSamples(name: String) throws {
    let raster = try TIFF.decode(ImageFixtures.bytes("TIFF/fax/\(name).tif"))
    let sum = try String(decoding: ImageFixtures.bytes("TIFF/fax/fax.txt"), as: UTF8.self)
    #expect((raster.width, raster.height, raster.channels) == (5003, 12, 1))
    #expect(raster.warnings.isEmpty)
    #expect("\(checksum(raster))\n" == sum)
  }

  @Test func findsTheFixtures() { #expect(Self.names.count == 7) }

  /// The rows before the damage are kept.
  @Test(arguments: ["huffman", "group3", "group3-mixed", "group4"])
  func truncatedDataGiveWholeRows(name: String) throws {
    let bytes = try ImageFixtures.bytes("TIFF/fax/\(name).tif")
    let whole = try TIFF.decode(bytes)
    let range = 8..<bytes.count - 300
    var rows: Set<Int> = []
    for end in stride(from: range.lowerBound + 40, to: range.upperBound, by: 61) {
      var decoder = CCITTFax(scheme(name), width: 5003, bytes, 8..<end)
      var output = [UInt8](repeating: 7, count: 626 * 12)
      let count = decoder.decode(to: &output, rowBytes: 626)
      #expect(count % 626 == 0)
      rows.insert(count / 626)
      // Pillow stores black as 0, so that coded white is black.
      for x in 0..<count / 626 * 5003 {
        let bit = output[x / 5003 * 626 + x % 5003 / 8] << UInt8(x % 5003 % 8) & 0x80
        guard (bit != 0) == (whole.samples[x] == 255) else {
          Issue.record("\(name), \(end): pixel \(x)")
          return
        }
      }
    }
    #expect(rows.count >= 4)
  }

  private func scheme(_ name: String) -> CCITTFax.Scheme {
    switch name {
    case "huffman": .huffman
    case "group4": .group4
    default: .group3(isMixed: name == "group3-mixed")
    }
  }

  @Test(arguments: names)
  func survivesDamage(name: String) throws {
    let bytes = try ImageFixtures.bytes("TIFF/fax/\(name).tif")
    var random = SplitMix64(seed: 9)
    for _ in 0..<200 {
      var damaged = bytes
      for _ in 0..<1 + Int(random.next() % 4) {
        damaged[8 + Int(random.next() % UInt64(bytes.count - 8))] = UInt8(
          truncatingIfNeeded: random.next())
      }
      if let raster = try? TIFF.decode(damaged) {
        #expect(raster.samples.count == raster.width * raster.height * raster.channels)
      }
    }
  }

  /// A vertical code that moves left of the previous change, a run beyond the row, an unknown code, and
  /// uncompressed mode.
  @Test(arguments: [
    (CCITTFax.Scheme.group4, "001 1111 0000110111 0000010"), (.huffman, "10100"),
    (.huffman, "000000000000"), (.group4, "0000001111 11111111"),
  ])
  func endsAtBadCodes(scheme: CCITTFax.Scheme, code: String) {
    let bits = code.filter { $0 != " " } + String(repeating: "0", count: 64)
    let bytes = stride(from: 0, to: 64, by: 8).map { start in
      bits.dropFirst(start).prefix(8).utf8.reduce(0) { $0 << 1 | UInt8($1 & 1) }
    }
    var decoder = CCITTFax(scheme, width: 8, bytes, 0..<bytes.count)
    var output: [UInt8] = [9, 9]
    #expect(decoder.decode(to: &output, rowBytes: 1) == 0)
    #expect(output == [0, 0])
  }

  @Test func needsOneBitPerPixel() throws {
    var bytes = try ImageFixtures.bytes("TIFF/gray8-black.tif")
    for entry in stride(from: 0, to: bytes.count - 12, by: 2)
    where bytes[entry] == 3 && bytes[entry + 1] == 1 && bytes[entry + 2] == 3 {
      bytes[entry + 8] = 4
      #expect(throws: TIFFError.unsupported(tag: 258, value: 8)) { try TIFF.decode(bytes) }
      return
    }
    Issue.record("The compression tag was not found.")
  }
}
