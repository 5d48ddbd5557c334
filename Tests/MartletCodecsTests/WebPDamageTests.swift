import MartletBase
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct WebPDamageTests {
  private func error(_ bytes: [UInt8], isStrict: Bool = false) -> WebPError? {
    do throws(WebPError) {
      _ = try WebP.decode(bytes, isStrict: isStrict)
      return nil
    } catch { return error }
  }

  /// A file with bytes replaced at an offset from the first occurrence of `chunk`.
  private func file(
    _ name: String, _ chunk: String, _ offset: Int, _ bytes: [UInt8]
  ) throws -> [UInt8] {
    var file = try ImageFixtures.bytes("WebP/\(name).webp")
    let place = try #require(file.firstRange(of: Array(chunk.utf8))).lowerBound + offset
    file.replaceSubrange(place..<place + bytes.count, with: bytes)
    return file
  }

  /// libwebp's incremental decoder shows these rows of a file's first bytes. Lossless rows are
  /// decoded to the last complete one; libwebp shows multiples of 16.
  @Test(arguments: WebPCase.all(in: "truncated"))
  func truncatedFilesShowTheRowsOfLibwebp(_ file: WebPCase) throws {
    let (count, rows) = (file.numbers[0], file.numbers[1])
    let bytes = Array(try file.bytes[..<count])
    let raster = try WebP.decode(bytes)
    let size = 3 * raster.width
    #expect(SHA256.digest(of: Array(raster.rgb[..<(rows * size)])).hexadecimal == file.digest)
    guard case .webp(.missingRows(let found, raster.height))? = raster.warnings.last else {
      Issue.record("\(raster.warnings)")
      return
    }
    #expect(
      file.name.hasPrefix("l") && !file.name.hasPrefix("lossy") || file.name == "palette-16"
        ? found >= rows : found == rows)
    #expect(raster.rgb[(found * size)...].allSatisfy { $0 == 0 })
    guard case .truncated? = error(bytes, isStrict: true) else {
      Issue.record("a strict decoder accepts a truncated file")
      return
    }
  }

  /// The number of rows does not decrease with the number of bytes, and no length traps.
  @Test(arguments: ["lossy-q30", "lossless-alpha", "alpha-noise-best", "animation-alpha"])
  func everyTruncationIsDecodedOrRejected(_ name: String) throws {
    let bytes = try ImageFixtures.bytes("WebP/\(name).webp")
    for count in 0..<bytes.count {
      let part = Array(bytes[..<count])
      if let raster = try? WebP.decode(part) { #expect(!raster.warnings.isEmpty) }
      #expect(error(part, isStrict: true) != nil)
    }
  }

  @Test func ignoresBytesAfterTheFile() throws {
    let bytes = try ImageFixtures.bytes("WebP/lossy-q80.webp")
    let longer = try WebP.decode(bytes + [1, 2, 3], isStrict: true)
    #expect(longer == (try WebP.decode(bytes)))
  }

  @Test(
    arguments: [
      ("lossy-q80", "RIFF", 4, [1, 0, 0, 0], .badSignature),
      ("lossy-q80", "RIFF", 8, [0x57, 0x45, 0x42, 0x51], .badSignature),
      ("lossy-q80", "VP8 ", 0, [0x56, 0x50, 0x38, 0x39], .missingImage),
      ("lossy-q80", "VP8 ", 4, [0, 0xFF], .badChunkLength(offset: 12, length: 65_280)),
      ("lossy-q80", "VP8 ", 8, [0x31], .badFrameHeader(offset: 20)),
      ("lossy-q80", "VP8 ", 11, [0x9E], .badFrameHeader(offset: 20)),
      ("lossy-q80", "VP8 ", 14, [0, 0], .badFrameHeader(offset: 20)),
      ("lossless", "VP8L", 8, [0x2E], .badLosslessHeader(offset: 20)),
      ("lossless", "VP8L", 12, [0x30], .badLosslessHeader(offset: 20)),
      (
        "alpha-disc-none", "VP8X", 12, [37],
        .sizeMismatch(width: 37, height: 29, expectedWidth: 38, expectedHeight: 29)
      ),
      ("animation", "ANMF", 8, [1], .frameOutsideCanvas(offset: 44)),
      ("alpha-raw", "ALPH", 8, [2], .badAlpha(offset: 38, length: 358)),
      ("alpha-raw", "ALPH", 8, [0x40], .badAlpha(offset: 38, length: 358)),
    ] as [(String, String, Int, [UInt8], WebPError)])
  func rejectsDamagedHeaders(
    _ name: String, _ chunk: String, _ offset: Int, _ bytes: [UInt8], _ expected: WebPError
  ) throws {
    #expect(error(try file(name, chunk, offset, bytes)) == expected)
  }

  /// Lossless data of one pixel and what follows its header, lowest bit first.
  @Test(
    arguments: [
      // A second subtraction of green.
      ("1 01 1 01", .repeatedTransform(2)),
      ("0 1 0000", .badColorCache(bits: 0)),
      ("0 1 0011", .badColorCache(bits: 12)),
      // Without color cache and groups, a code whose lengths use no symbol.
      ("0 0 0 0 0000 000 000 000 000", .badPrefixCode),
      ("", .unfinishedHeader),
    ] as [(String, WebPError)])
  func rejectsDamagedLosslessData(_ bits: String, _ expected: WebPError) {
    var data: [UInt8] = [0x2F, 0, 0, 0, 0] + [0, 0, 0, 0]
    for (index, bit) in bits.filter({ $0 != " " }).enumerated() where bit == "1" {
      data[5 + index / 8] |= 1 << (index % 8)
    }
    if bits.isEmpty { data = Array(data[..<5]) + [0] }
    let chunk =
      Array("WEBPVP8L".utf8) + [UInt8(data.count), 0, 0, 0] + data
      + (data.count % 2 == 1 ? [0] : [])
    #expect(error(Array("RIFF".utf8) + [UInt8(chunk.count), 0, 0, 0] + chunk) == expected)
  }

  @Test(arguments: WebPCase.all(in: "expected"))
  func randomDamageNeverTraps(_ file: WebPCase) throws {
    let bytes = try file.bytes
    var random = SplitMix64(seed: 3)
    for count in 1...40 {
      let damaged = bytes.damaged(count: count % 4 + 1, from: 12, using: &random)
      if let raster = try? WebP.decode(damaged, limits: ImageLimits(memory: 1 << 24)) {
        #expect(raster.samples.count == raster.width * raster.height * raster.channels)
      }
    }
  }

  /// 16,384 x 16,384 pixels in 30 bytes.
  @Test func hugeImageIsRejectedBeforeItIsAllocated() {
    let data: [UInt8] = [0x2F, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0, 0, 0, 0]
    let chunk = Array("WEBPVP8L".utf8) + [10, 0, 0, 0] + data
    let found = error(Array("RIFF".utf8) + [22, 0, 0, 0] + chunk)
    guard case .memory? = found else {
      Issue.record("\(found as Any)")
      return
    }
  }
}
