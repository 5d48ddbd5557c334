import Testing

@testable import MartletModel

@Suite struct TextLinesTests {
  @Test(arguments: [
    ("", []), ("cat", ["cat"]), ("cat\n", ["cat"]), ("cat\n\n", ["cat", ""]), ("\n", [""]),
    ("cat\r\ndog\r", ["cat", "dog"]), ("\r\r\n", ["\r"]), ("\u{FEFF}cat\ndog", ["cat", "dog"]),
    ("\u{FEFF}", []), ("käse\n", ["käse"]),
  ])
  func splitsAtLineEnds(_ text: String, _ lines: [String]) throws {
    #expect(try TextLines.read(Array(text.utf8)) == lines)
  }

  @Test func dropsOnlyFirstByteOrderMark() throws {
    #expect(
      try TextLines.read(Array("\u{FEFF}\u{FEFF}a\n\u{FEFF}b".utf8)) == ["\u{FEFF}a", "\u{FEFF}b"])
  }

  @Test func limitsTheNumberOfLines() {
    let lines = ModelLimits.textLines
    #expect(throws: TextError.lineCount(found: lines + 1, limit: lines)) {
      _ = try TextLines.read([UInt8](repeating: 10, count: lines + 1))
    }
    #expect(throws: Never.self) { _ = try TextLines.read([UInt8](repeating: 10, count: lines)) }
  }

  @Test func refusesLargeTexts() {
    let limit = ModelLimits.textBytes
    #expect(throws: TextError.byteCount(found: limit + 1, limit: limit)) {
      _ = try TextLines.read([UInt8](repeating: 10, count: limit + 1))
    }
  }

  @Test func refusesLongLines() {
    let limit = ModelLimits.textLineBytes
    let line = [UInt8](repeating: 97, count: limit)
    #expect(throws: Never.self) { _ = try TextLines.read(line + [13, 10]) }
    #expect(throws: TextError.lineLength(line: 1, found: limit + 1, limit: limit)) {
      _ = try TextLines.read([97, 10] + line + [97])
    }
  }
}
