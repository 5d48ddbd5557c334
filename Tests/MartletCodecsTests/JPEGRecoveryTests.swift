import MartletBase
import MartletTestSupport
import Testing

@testable import MartletCodecs

/// Damaged files, compared with Pillow 13.0 (libjpeg-turbo 3.2, with `LOAD_TRUNCATED_IMAGES`) and
/// OpenCV 5.0 (libjpeg-turbo 3.1), which decode the same samples.
@Suite struct JPEGRecoveryTests {
  /// A file, edits of its bytes, and the CRC-32 of the reference samples; see `JPEG/make.py`.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let edits: [[String]]
    let sum: UInt32

    var testDescription: String {
      "\(name) \(edits.map { $0.joined(separator: ":") }.joined(separator: ","))"
    }

    init?(_ line: Substring) {
      let words = line.split(separator: " ")
      guard words.count == 3, let sum = UInt32(words[2]) else { return nil }
      name = String(words[0])
      edits = words[1].split(separator: ",").map { $0.split(separator: ":").map(String.init) }
      self.sum = sum
    }

    /// The file's bytes after the edits.
    func bytes() throws -> [UInt8] {
      var bytes = try ImageFixtures.bytes("JPEG/\(name).jpg")
      for edit in edits {
        let numbers = edit.dropFirst().compactMap { Int($0) }
        switch edit[0] {
        case "cut": bytes.removeSubrange(numbers[0]...)
        case "put":
          bytes.replaceSubrange(
            numbers[0]...numbers[0], with: numbers[1...].map { UInt8($0) })
        case "drop": bytes.removeSubrange(numbers[0]..<numbers[0] + numbers[1])
        default: break
        }
      }
      return bytes
    }
  }

  static let cases: [Case] = {
    let text = (try? ImageFixtures.bytes("JPEG/damaged/damaged.txt")) ?? []
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { Case($0) }
  }()

  private func sum(_ raster: Raster) -> UInt32 {
    CRC32.checksum(raster.samples, range: raster.samples.indices)
  }

  /// The raster of a damaged fixture, after checking that it equals the reference samples.
  private func recovered(_ name: String) throws -> Raster {
    let bytes = try ImageFixtures.bytes("JPEG/damaged/\(name).jpg")
    let raster = try JPEG.decode(bytes)
    let expected = try #require(Self.cases.first { $0.name == "damaged/\(name)" })
    #expect(sum(raster) == expected.sum)
    #expect(raster.width == 320)
    #expect(raster.height == 240)
    if let warning = raster.warnings.first {
      #expect(raster.warnings == JPEGFile.error(bytes).map { [.jpeg($0)] })
      #expect(!"\(warning)".isEmpty)
    } else {
      #expect(JPEGFile.error(bytes) == nil)
    }
    return raster
  }

  // MARK: Files from bug reports

  @Test func truncatedFileLosesOnlyItsLastBlock() throws {
    let raster = try recovered("last-20-bytes-missing")
    #expect(
      raster.warnings == [.jpeg(.truncatedScan(scan: 0, unit: 299, count: 300, offset: 10419))])
  }

  @Test func progressiveFileWithoutItsLastScansIsSmoothedWithAWarning() throws {
    let raster = try recovered("progressive-5-of-10-scans")
    #expect(raster.warnings == [.jpeg(.incomplete(offset: 3787, scans: 5))])
  }

  @Test func progressiveFileThatEndsEarlyIsSmoothedWithoutAWarning() throws {
    #expect(try recovered("progressive-5-of-10-scans-eoi").warnings.isEmpty)
  }

  @Test func damagedRestartIntervalLeavesTheOthers() throws {
    let raster = try recovered("restart-interval-damaged")
    guard case .jpeg(.corruptScan(scan: 0, unit: 14, count: 300, _)) = raster.warnings.first else {
      Issue.record("\(raster.warnings)")
      return
    }
  }

  @Test func readsOrientationStoredAsLong() throws {
    let raster = try recovered("orientation-as-long")
    #expect(raster.orientation == 6)
    #expect(raster.warnings.isEmpty)
  }

  /// As libjpeg-turbo reads it: the bytes of end-of-image markers replace those that are missing.
  @Test(
    arguments: [
      ("sampling-420", 622, 1_232_962_239), ("sampling-420", 621, 114_722_721),
      ("sampling-420", 620, 1_232_962_239), ("gray", 327, 2_580_115_679),
      ("gray", 326, 1_509_269_471), ("gray", 325, 2_580_115_679),
    ] as [(String, Int, UInt32)])
  func fileThatEndsInItsScanHeaderIsGray(_ name: String, _ count: Int, _ expected: UInt32) throws {
    let bytes = Array(try ImageFixtures.bytes("JPEG/\(name).jpg").prefix(count))
    let image = try JPEG.decodeFrame(of: bytes, at: 0)
    #expect(sum(image.raster) == expected)
    #expect(image.end == count)
    let length = name == "gray" ? 8 : 12
    let offset = name == "gray" ? 320 : 611
    let damage = JPEGError.truncated(offset: offset, count: length, fileSize: count)
    #expect(try JPEG.decode(bytes).warnings == [.jpeg(damage)])
    #expect(JPEGFile.error(bytes) == damage)
  }

  @Test func fileThatEndsAmongTheComponentsOfItsScanIsRefused() throws {
    let bytes = try ImageFixtures.bytes("JPEG/sampling-420.jpg")
    for count in 611..<620 {
      #expect(throws: JPEGError.self, "\(count) bytes") {
        try JPEG.decode(Array(bytes.prefix(count)))
      }
    }
  }

  // MARK: One file per kind of damage

  @Test(arguments: cases)
  func damagedFileMatchesOtherDecoders(_ damaged: Case) throws {
    #expect(try sum(JPEG.decode(damaged.bytes())) == damaged.sum)
  }

  @Test func findsTheCases() { #expect(Self.cases.count >= 90) }

  /// A file truncated inside its scan is decoded to the same samples by any number of workers.
  @Test(arguments: ["420", "restart", "progressive", "scans"])
  func recoversTruncationWithAnyWorkerCount(name: String) throws {
    let bytes = try ImageFixtures.bytes("JPEG/bands/\(name).jpg")
    let cut = Array(bytes.prefix(bytes.count * 2 / 3))
    let alone = try JPEG.decode(cut)
    #expect(!alone.warnings.isEmpty)
    for count in 2...3 { #expect(try JPEG.decode(cut, workers: .pool(count: count)) == alone) }
  }
}
