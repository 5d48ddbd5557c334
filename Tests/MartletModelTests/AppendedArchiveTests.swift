import MartletTestSupport
import Testing

@testable import MartletModel

/// A zip archive written field by field as the specification says.
struct ArchiveWriter {
  var files: [(name: String, contents: [UInt8])]
  var method: UInt16 = 0
  var flags: UInt16 = 0
  var comment: [UInt8] = []
  /// What the directory's offsets count from.
  var origin = 0

  /// CRC-32 by the definition: the remainder of a polynomial division, a bit at a time.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var remainder: UInt64 = 0
    let bits = bytes.flatMap { byte in (0..<8).map { UInt64(byte >> $0 & 1) } }
    for (index, bit) in (bits + [UInt64](repeating: 0, count: 32)).enumerated() {
      remainder = remainder << 1 | (bit ^ (index < 32 ? 1 : 0))
      if remainder >> 32 != 0 { remainder ^= 0x1_04C1_1DB7 }
    }
    let reflected = (0..<32).reduce(UInt32(0)) { sum, bit in
      sum | UInt32(remainder >> UInt64(bit) & 1) << UInt32(31 - bit)
    }
    return ~reflected
  }

  /// The archive behind `prefix`.
  func bytes(behind prefix: [UInt8]) -> [UInt8] {
    var bytes = prefix
    var directory: [UInt8] = []
    for (name, contents) in files {
      let size = UInt32(contents.count).littleEndianBytes
      let common =
        UInt16(20).littleEndianBytes + flags.littleEndianBytes + method.littleEndianBytes
        + [0, 0, 0, 0] + ArchiveWriter.checksum(contents).littleEndianBytes + size + size
        + UInt16(name.utf8.count).littleEndianBytes + [0, 0]
      directory +=
        [0x50, 0x4B, 1, 2, 20, 0] + common + [UInt8](repeating: 0, count: 10)
        + UInt32(bytes.count - origin).littleEndianBytes + Array(name.utf8)
      bytes += [0x50, 0x4B, 3, 4] + common + Array(name.utf8) + contents
    }
    let start = UInt32(bytes.count - origin).littleEndianBytes
    let count = UInt16(files.count).littleEndianBytes
    return bytes + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count
      + UInt32(directory.count).littleEndianBytes + start
      + UInt16(comment.count).littleEndianBytes + comment
  }
}

@Suite struct AppendedArchiveTests {
  static let prefix: [UInt8] = [UInt8](repeating: 0xAB, count: 10)
  static let writer = ArchiveWriter(files: [
    ("labels.txt", Array("cat\ndog\n".utf8)), ("empty", []),
  ])
  static let archive = writer.bytes(behind: prefix)
  /// Where the first directory entry and the end record begin: two local headers of 30 bytes with
  /// their names and contents lie in front, two entries of 46 bytes with their names between.
  static let directory = 10 + 30 + 10 + 8 + 30 + 5
  static let end = directory + 46 + 10 + 46 + 5

  @Test func findsFilesByTheirNames() throws {
    let archive = try AppendedArchive(bytes: AppendedArchiveTests.archive)
    #expect(archive.entries.map(\.name) == ["labels.txt", "empty"])
    #expect(try archive.contents(of: "labels.txt").map { Array($0) } == Array("cat\ndog\n".utf8))
    #expect(try archive.contents(of: "empty")?.isEmpty == true)
    #expect(try archive.contents(of: "label.txt") == nil)
  }

  @Test func computesTheStandardsCheckValue() {
    // The check value that lists of CRC algorithms give for CRC-32.
    #expect(crc32(Array("123456789".utf8)[...]) == 0xCBF4_3926)
  }

  @Test func findsNothingWhereThereIsNoArchive() throws {
    #expect(try AppendedArchive(bytes: []).entries.isEmpty)
    #expect(try AppendedArchive(bytes: ModelFile().bytes).entries.isEmpty)
    // A byte behind the end record: whatever precedes it is no archive's end.
    #expect(try AppendedArchive(bytes: AppendedArchiveTests.archive + [0]).entries.isEmpty)
  }

  @Test func readsAnArchiveWithAComment() throws {
    var writer = AppendedArchiveTests.writer
    writer.comment = Array("made for a test".utf8)
    #expect(try AppendedArchive(bytes: writer.bytes(behind: [1])).entries.count == 2)
  }

  @Test func readsAnArchiveThatWasAppendedAsItWas() throws {
    // Its offsets count from its own start.
    var writer = AppendedArchiveTests.writer
    writer.origin = 10
    let archive = try AppendedArchive(bytes: writer.bytes(behind: AppendedArchiveTests.prefix))
    #expect(try archive.contents(of: "labels.txt").map { Array($0) } == Array("cat\ndog\n".utf8))
  }

  @Test func takesTheFileThatWasAddedLast() throws {
    let bytes = ArchiveWriter(files: [("a", [1]), ("a", [2])]).bytes(behind: [])
    #expect(try AppendedArchive(bytes: bytes).contents(of: "a").map { Array($0) } == [2])
  }

  /// Bytes of the archive replaced, and the one error that must come of it.
  @Test(arguments: [
    (end + 4, [UInt8(1)], ArchiveError.unsupportedLayout(offset: end)),
    (end + 8, [3], .unsupportedLayout(offset: end)),
    (end + 16, [0xFF, 0xFF, 0xFF, 0xFF], .unsupportedLayout(offset: end)),
    (end + 12, [0xFF, 0xFF], .truncated(offset: directory, count: 0xFFFF, end: end)),
    (end + 16, [0xFF, 0xFF], .truncated(offset: 0xFFFF, count: end - directory, end: end)),
    (
      end + 8, [3, 0, 3],
      .truncated(offset: end, count: 46, end: end)
    ),
    (
      directory, [0x51],
      .signature(offset: directory, found: 0x0201_4B51, expected: 0x0201_4B50)
    ),
    (directory + 10, [8], .notStored(index: 0, method: 8)),
    (directory + 8, [1], .notStored(index: 0, method: 99)),
    (directory + 24, [9], .size(index: 0, stored: 8, contents: 9)),
    (directory + 28, [200], .truncated(offset: directory, count: 246, end: end)),
    (
      directory + 42, [0xFF, 0xFF],
      .truncated(offset: 0xFFFF, count: 30, end: directory)
    ),
    (directory + 42, [11], .signature(offset: 11, found: 0x1404_034B, expected: 0x0403_4B50)),
    (
      10 + 26, [0xFF],
      .truncated(offset: 10 + 30 + 255, count: 8, end: directory)
    ),
  ])
  func rejects(offset: Int, replacement: [UInt8], error: ArchiveError) {
    var bytes = AppendedArchiveTests.archive
    bytes.replaceSubrange(offset..<offset + replacement.count, with: replacement)
    #expect(throws: error) { _ = try AppendedArchive(bytes: bytes) }
  }

  @Test func noticesChangedContents() throws {
    var bytes = AppendedArchiveTests.archive
    bytes[10 + 30 + 10] = UInt8(ascii: "b")
    let archive = try AppendedArchive(bytes: bytes)
    #expect(
      throws: ArchiveError.checksum(
        offset: 50, found: ArchiveWriter.checksum(Array("bat\ndog\n".utf8)),
        expected: ArchiveWriter.checksum(Array("cat\ndog\n".utf8)))
    ) { _ = try archive.contents(of: "labels.txt") }
  }

  @Test func survivesEveryByteValueAtEveryPlace() {
    for offset in AppendedArchiveTests.archive.indices {
      for value in stride(from: UInt8(0), through: 255, by: 5) {
        var copy = AppendedArchiveTests.archive
        copy[offset] = value
        _ = try? AppendedArchive(bytes: copy).contents(of: "labels.txt")
      }
    }
  }
}
