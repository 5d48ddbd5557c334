import MartletTestSupport
import Testing

@testable import MartletModel

@Suite struct AppendedArchiveTests {
  static let prefix: [UInt8] = [UInt8](repeating: 0xAB, count: 10)
  static let writer = ArchiveWriter(files: [
    ("labels.txt", Array("cat\ndog\n".utf8)), ("empty", []),
  ])
  static let archive = writer.bytes(behind: prefix)
  /// The offsets of the first directory entry and of the end record. They follow two local headers
  /// of 30 bytes with names and contents, and two entries of 46 bytes with names.
  static let directory = 10 + 30 + 10 + 8 + 30 + 5
  static let end = directory + 46 + 10 + 46 + 5

  @Test func findsFilesByTheirNames() throws {
    let archive = try AppendedArchive(bytes: FileBytes(AppendedArchiveTests.archive))
    #expect(archive.entries.map(\.name) == ["labels.txt", "empty"])
    #expect(try archive.contents(of: "labels.txt").map { Array($0) } == Array("cat\ndog\n".utf8))
    #expect(try archive.contents(of: "empty")?.isEmpty == true)
    #expect(try archive.contents(of: "label.txt") == nil)
  }

  @Test func returnsNoEntriesWithoutArchive() throws {
    #expect(try AppendedArchive(bytes: FileBytes([])).entries.isEmpty)
    #expect(try AppendedArchive(bytes: FileBytes(ModelFile().bytes)).entries.isEmpty)
    // With a byte after the end record, the file does not end with an archive.
    #expect(
      try AppendedArchive(bytes: FileBytes(AppendedArchiveTests.archive + [0])).entries.isEmpty)
  }

  @Test func readsAnArchiveWithAComment() throws {
    var writer = AppendedArchiveTests.writer
    writer.comment = Array("made for a test".utf8)
    #expect(try AppendedArchive(bytes: FileBytes(writer.bytes(behind: [1]))).entries.count == 2)
  }

  @Test func readsOffsetsFromTheArchivesStart() throws {
    // Offsets are relative to the archive's own start.
    var writer = AppendedArchiveTests.writer
    writer.origin = 10
    let archive = try AppendedArchive(
      bytes: FileBytes(writer.bytes(behind: AppendedArchiveTests.prefix)))
    #expect(try archive.contents(of: "labels.txt").map { Array($0) } == Array("cat\ndog\n".utf8))
  }

  @Test func returnsTheLastFileOfAName() throws {
    let bytes = ArchiveWriter(files: [("a", [1]), ("a", [2])]).bytes(behind: [])
    #expect(try AppendedArchive(bytes: FileBytes(bytes)).contents(of: "a").map { Array($0) } == [2])
  }

  /// Replaced bytes of the archive, and the expected error.
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
  func rejectsDamagedArchive(offset: Int, replacement: [UInt8], error: ArchiveError) {
    var bytes = AppendedArchiveTests.archive
    bytes.replaceSubrange(offset..<offset + replacement.count, with: replacement)
    #expect(throws: error) { _ = try AppendedArchive(bytes: FileBytes(bytes)) }
  }

  @Test func rejectsChangedContents() throws {
    var bytes = AppendedArchiveTests.archive
    bytes[10 + 30 + 10] = UInt8(ascii: "b")
    let archive = try AppendedArchive(bytes: FileBytes(bytes))
    #expect(
      throws: ArchiveError.checksum(
        offset: 50, found: ArchiveWriter.checksum(Array("bat\ndog\n".utf8)),
        expected: ArchiveWriter.checksum(Array("cat\ndog\n".utf8)))
    ) { _ = try archive.contents(of: "labels.txt") }
  }

  @Test func changedBytesDoNotTrap() {
    for offset in AppendedArchiveTests.archive.indices {
      for value in stride(from: UInt8(0), through: 255, by: 5) {
        var copy = AppendedArchiveTests.archive
        copy[offset] = value
        _ = try? AppendedArchive(bytes: FileBytes(copy)).contents(of: "labels.txt")
      }
    }
  }
}
