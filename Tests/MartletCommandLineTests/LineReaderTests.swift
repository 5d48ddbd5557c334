import Foundation
import MartletCommandLine
import Testing

@Suite struct LineReaderTests {
  /// The lines of a file with this text.
  private func lines(_ text: String) throws -> [String] {
    let path = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Files.write(Array(text.utf8), to: path)
    var reader = try LineReader(path)
    var lines: [String] = []
    while let line = try reader.next() { lines.append(line) }
    return lines
  }

  @Test(arguments: [
    ("", []), ("\n\n", []), ("a", ["a"]), ("a\nb\n", ["a", "b"]), ("a\r\n\r\nb", ["a", "b"]),
    (" a b \n", [" a b "]), ("ä\n", ["ä"]),
  ])
  func skipsEmptyLines(_ text: String, _ expected: [String]) throws {
    #expect(try lines(text) == expected)
  }

  @Test func joinsManyPieces() throws {
    let expected = (0..<60_000).map { "folder/picture-\($0).jpg" }
    #expect(try lines(expected.joined(separator: "\n")) == expected)
  }

  @Test func refusesOverlongLines() {
    #expect(throws: FileError.self) {
      _ = try lines(String(repeating: "a", count: 1 << 20))
    }
  }

  @Test func returnsALineBeforeTheNextArrives() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID())").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = open(path, O_RDWR)
    defer { close(writer) }
    #expect(write(writer, "first\nsec", 9) == 9)
    var reader = try LineReader(path)
    #expect(try reader.next() == "first")
    #expect(write(writer, "ond\n", 4) == 4)
    #expect(try reader.next() == "second")
  }
}
