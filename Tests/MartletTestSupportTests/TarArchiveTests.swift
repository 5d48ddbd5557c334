import Foundation
import MartletTestSupport
import Testing

@Suite struct TarArchiveTests {
  /// A header in the standard's format, with its checksum computed last.
  static func header(_ name: String, size: Int, type: Character = "0") -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func set(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    set(name, at: 0)
    set("0000644", at: 100)
    set(octal(size, digits: 11), at: 124)
    set("        ", at: 148)
    set(String(type), at: 156)
    set("ustar", at: 257)
    set("00", at: 263)
    set(octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + "\0 ", at: 148)
    return header
  }

  static func octal(_ value: Int, digits: Int) -> String {
    let text = String(value, radix: 8)
    return String(repeating: "0", count: digits - text.count) + text
  }

  static func file(_ name: String, _ contents: [UInt8], type: Character = "0") -> [UInt8] {
    let padding = (512 - contents.count % 512) % 512
    return header(name, size: contents.count, type: type) + contents
      + [UInt8](repeating: 0, count: padding)
  }

  static let end = [UInt8](repeating: 0, count: 1024)
  static let two = file("a.in", [1, 2, 3]) + file("b.out", [UInt8](repeating: 7, count: 512)) + end

  @Test func returnsNamesAndContentsInOrder() throws {
    let archive = try TarArchive(TarArchiveTests.two)
    #expect(archive.files.map(\.name) == ["a.in", "b.out"])
    #expect(archive["a.in"] == [1, 2, 3])
    #expect(archive["b.out"] == [UInt8](repeating: 7, count: 512))
    #expect(archive["c"] == nil)
  }

  @Test func acceptsEmptyArchiveAndTrailingZeros() throws {
    #expect(try TarArchive(TarArchiveTests.end).files.isEmpty)
    #expect(try TarArchive([UInt8](repeating: 0, count: 10_240)).files.isEmpty)
    let archive = try TarArchive(TarArchiveTests.two + [UInt8](repeating: 0, count: 3000))
    #expect(archive.files.count == 2)
  }

  @Test func readsAnEmptyFile() throws {
    let archive = try TarArchive(TarArchiveTests.file("empty", []) + TarArchiveTests.end)
    #expect(archive["empty"] == [])
  }

  @Test func rejectsEveryTruncation() {
    let bytes = TarArchiveTests.two
    for count in 0..<bytes.count {
      #expect(throws: TarError.self, "\(count)") { _ = try TarArchive(Array(bytes[..<count])) }
    }
  }

  @Test func detectsChangedHeaderBytes() throws {
    let expected = try TarArchive(TarArchiveTests.two)
    for index in 0..<512 {
      for bit in [0, 6] {
        var bytes = TarArchiveTests.two
        bytes[index] ^= 1 << bit
        // Bytes after the digits of the checksum are ignored.
        let found = try? TarArchive(bytes)
        #expect(found == nil || 154..<156 ~= index, "\(index)")
        if let found { #expect(found.files.map(\.contents) == expected.files.map(\.contents)) }
      }
    }
  }

  @Test(arguments: ["", "a/b", "/etc", "..", ".hidden", "a b", "é"])
  func rejectsNamesThatAreNotPlain(_ name: String) {
    #expect(throws: TarError.name(offset: 0)) {
      _ = try TarArchive(TarArchiveTests.file(name, [1]) + TarArchiveTests.end)
    }
  }

  @Test(arguments: ["1", "2", "5", "x", "g"] as [Character])
  func rejectsEntriesThatAreNotFiles(_ type: Character) throws {
    #expect(throws: TarError.type(offset: 0, found: try #require(type.asciiValue))) {
      _ = try TarArchive(TarArchiveTests.file("a", [], type: type) + TarArchiveTests.end)
    }
  }

  @Test func rejectsRepeatedName() {
    let file = TarArchiveTests.file("a", [1])
    #expect(throws: TarError.repeated(name: "a")) {
      _ = try TarArchive(file + file + TarArchiveTests.end)
    }
  }

  @Test func rejectsBytesBetweenAndAfterFiles() {
    var bytes = TarArchiveTests.two
    bytes[512 + 3] = 1
    #expect(throws: TarError.padding(offset: 0)) { _ = try TarArchive(bytes) }
    #expect(throws: TarError.padding(offset: 2048)) {
      _ = try TarArchive(TarArchiveTests.two + [1])
    }
    bytes = TarArchiveTests.two
    bytes[bytes.count - 1] = 1
    #expect(throws: TarError.padding(offset: 2048)) { _ = try TarArchive(bytes) }
  }

  @Test func rejectsSizeBeyondTheEnd() {
    let header = TarArchiveTests.header("a", size: 8_589_934_591)
    #expect(throws: TarError.truncated(offset: 512, count: 8_589_934_591, size: 1536)) {
      _ = try TarArchive(header + TarArchiveTests.end)
    }
  }

  @Test func unpacksIntoTemporaryFolder() throws {
    let archive = try TarArchive(TarArchiveTests.two)
    let place = try archive.unpacked { folder in
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.sorted() == ["a.in", "b.out"])
      let bytes = try Fixtures.bytes(of: folder.appending(path: "a.in"))
      #expect(bytes == [1, 2, 3])
      return folder
    }
    #expect(!FileManager.default.fileExists(atPath: place.path))
  }

  @Test(arguments: Fixtures.files(in: "Operators", withExtension: "tar"))
  func hasManifestAndThreeFilesPerCase(_ url: URL) throws {
    let archive = try TarArchive(try Fixtures.bytes(of: url))
    let endings = archive.files.compactMap { $0.name.split(separator: ".").last }
    let cases = (archive.files.count - 1) / 3
    #expect(cases > 0)
    for (ending, count) in [("json", 1), ("tflite", cases), ("in", cases), ("out", cases)] {
      #expect(endings.count { $0 == ending } == count)
    }
  }
}
