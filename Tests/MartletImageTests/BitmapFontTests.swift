import Testing

@testable import MartletImage

@Suite struct BitmapFontTests {
  private func rows(_ letter: Character) -> [UInt8] {
    letter.unicodeScalars.first.map { Array(BitmapFont.rows(of: $0)) } ?? []
  }

  /// The letter mirrored horizontally.
  private func mirrored(_ letter: Character) -> [UInt8] {
    rows(letter).map { row in (0..<5).reduce(0) { $0 | (row >> UInt8($1) & 1) << UInt8(4 - $1) } }
  }

  @Test func drawsALetter() {
    #expect(
      rows("T") == [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0, 0])
    #expect(rows("F") == [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000, 0, 0])
  }

  @Test func hasEveryPrintableCharacterOnce() {
    let all = (0x20...0x7E).compactMap { Unicode.Scalar($0) }.map { Array(BitmapFont.rows(of: $0)) }
    #expect(Set(all).count == 95)
    #expect(all.allSatisfy { $0.count == 9 && $0.allSatisfy { $0 < 32 } })
    #expect(all.filter { $0.allSatisfy { $0 == 0 } }.count == 1)
  }

  @Test(arguments: Array("AHIMOTUVWXY!\"'*+-=^_|vwx.:o8".filter { !".:".contains($0) }))
  func symmetricLettersHaveSymmetricBitmaps(letter: Character) {
    #expect(mirrored(letter) == rows(letter))
  }

  @Test(arguments: [("(", ")"), ("<", ">"), ("[", "]"), ("{", "}"), ("/", "\\"), ("p", "q")])
  func pairsAreMirrored(left: Character, right: Character) {
    #expect(mirrored(left) == rows(right))
  }

  @Test func onlyDescendersReachBelowBaseline() {
    let below = (0x21...0x7E).compactMap { Unicode.Scalar($0) }
      .filter { BitmapFont.rows(of: $0).suffix(2).contains { $0 != 0 } }
    #expect(String(String.UnicodeScalarView(below)) == ",;_gjpqy")
  }

  @Test(arguments: ["é", "\n", "\u{7F}", "字", "\u{10FFFF}"] as [Unicode.Scalar])
  func replacesUnknownCharacters(character: Unicode.Scalar) {
    #expect(BitmapFont.rows(of: character) == BitmapFont.rows(of: "?"))
  }
}
