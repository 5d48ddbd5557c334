import Foundation
import MartletCommandLine
import MartletTestSupport
import Testing

@Suite struct PathListTests {
  /// The paths in a list with these bytes.
  private func paths(_ bytes: [UInt8]) throws -> [FilePath] {
    let path = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Files.write(bytes, to: path)
    var list = try PathList(FilePath(path))
    var paths: [FilePath] = []
    while let path = try list.next() { paths.append(path) }
    return paths
  }

  @Test(
    arguments: [
      ("", []), ("\n\n", []), ("a", ["a"]), ("a\nb\n", ["a", "b"]), ("a\r\n\r\nb", ["a", "b"]),
      (" a b \n", [" a b "]), ("ä\n", ["ä"]), ("\u{FEFF}a\nb\n", ["a", "b"]),
      ("\u{FEFF}", []), ("a\0b\0", ["a", "b"]), ("a", ["a"]),
      ("a\nb\0c\r\0d", ["a\nb", "c\r", "d"]), ("\u{FEFF}a\0b", ["a", "b"]),
    ] as [(String, [FilePath])])
  func pathsEndWithLineFeedsOrZeros(_ text: String, _ expected: [FilePath]) throws {
    #expect(try paths(Array(text.utf8)) == expected)
  }

  @Test func pathsKeepBytesThatAreNotUTF8() throws {
    #expect(try paths([0xE9, 0x0A, 0xE8]) == [FilePath(bytes: [0xE9]), FilePath(bytes: [0xE8])])
  }

  @Test func joinsManyPieces() throws {
    let expected = (0..<60_000).map { FilePath("folder/picture-\($0).jpg") }
    for end in ["\n", "\0"] {
      #expect(try paths(expected.flatMap { $0.bytes + end.utf8 }) == expected)
    }
  }

  @Test func refusesOverlongPaths() {
    #expect(throws: FileError.self) {
      _ = try paths([UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20))
    }
  }

  /// `/dev/zero` is an endless list of empty paths.
  @Test(arguments: ["\0\0a\0", "a\0\0", "\0"])
  func refusesEmptyPathsBetweenZeros(_ text: String) {
    #expect {
      _ = try paths(Array(text.utf8))
    } throws: {
      if case .emptyPath? = $0 as? FileError { true } else { false }
    }
  }

  @Test(arguments: [[0xFF, 0xFE, 0x61, 0, 0x0A, 0], [0xFE, 0xFF, 0, 0x61]] as [[UInt8]])
  func refusesUTF16(_ bytes: [UInt8]) {
    #expect {
      _ = try paths(bytes)
    } throws: {
      if case .isUTF16? = $0 as? FileError { true } else { false }
    }
  }

  /// The zero byte comes in a later piece than the first line feed.
  @Test func refusesZerosAfterLines() {
    let line = Array("a\n".utf8)
    let lines = [[UInt8]](repeating: line, count: 200_000).flatMap(\.self)
    #expect {
      _ = try paths(lines + [0x62, 0])
    } throws: {
      if case .mixedSeparators? = $0 as? FileError { true } else { false }
    }
  }

  @Test func returnsAPathBeforeTheNextArrives() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID())").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = open(path, O_RDWR)
    defer { close(writer) }
    #expect(write(writer, "first\nsec", 9) == 9)
    var list = try PathList(FilePath(path))
    #expect(try list.next() == "first")
    #expect(write(writer, "ond\n", 4) == 4)
    #expect(try list.next() == "second")
  }
}
