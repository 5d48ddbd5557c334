import MartletBase
import Testing

@Suite struct JSONParserTests {
  func parse(_ text: String) throws(JSONError) -> JSON { try JSON(parsing: Array(text.utf8)) }

  @Test(arguments: [
    ("null", "null"), (" true ", "true"), ("\t\r\nfalse", "false"), ("0", "0"), ("-0", "-0"),
    ("-12.50e+3", "-12.50e+3"), ("1E400", "1E400"), (#""a""#, #""a""#), ("[]", "[]"),
    ("[ ]", "[]"), ("{}", "{}"), ("[1,[2,{}], \"x\"]", #"[1,[2,{}],"x"]"#),
    (#"{"b" : 1 , "a":[null]}"#, #"{"b":1,"a":[null]}"#),
    (#""\"\\\/\n\r\t""#, #""\"\\/\n\r\t""#), (#""\b\f\u0001""#, #""\u0008\u000c\u0001""#),
    (#""\u00fc\uD83E\uDEB6""#, #""ü🪶""#), (#""ü🪶""#, #""ü🪶""#), (#""\u0000""#, #""\u0000""#),
    ("12345678901234567890123", "12345678901234567890123"),
  ])
  func parsesValidTexts(_ text: String, _ expected: String) throws {
    #expect("\(try parse(text))" == expected)
  }

  @Test(
    arguments: [
      ("", .endOfText(offset: 0)), ("  ", .endOfText(offset: 2)), ("tru", .endOfText(offset: 3)),
      ("trux", .unexpected(byte: 0x78, offset: 3)), ("nullx", .unexpected(byte: 0x78, offset: 4)),
      ("[1,]", .unexpected(byte: 0x5D, offset: 3)), ("[1 2]", .unexpected(byte: 0x32, offset: 3)),
      ("[1", .endOfText(offset: 2)), ("[", .endOfText(offset: 1)),
      ("]", .unexpected(byte: 0x5D, offset: 0)), ("{1:2}", .unexpected(byte: 0x31, offset: 1)),
      (#"{"a" 1}"#, .unexpected(byte: 0x31, offset: 5)),
      (#"{"a":1,}"#, .unexpected(byte: 0x7D, offset: 7)), (#"{"a":"#, .endOfText(offset: 5)),
      (#"{"a":1,"a":2}"#, .repeatedName("a", offset: 7)),
      ("01", .unexpected(byte: 0x31, offset: 1)), ("-", .endOfText(offset: 1)),
      ("+1", .unexpected(byte: 0x2B, offset: 0)), (".5", .unexpected(byte: 0x2E, offset: 0)),
      ("1.", .endOfText(offset: 2)), ("1.e2", .unexpected(byte: 0x65, offset: 2)),
      ("1e", .endOfText(offset: 2)), ("1e+-2", .unexpected(byte: 0x2D, offset: 3)),
      ("NaN", .unexpected(byte: 0x4E, offset: 0)), ("Infinity", .unexpected(byte: 0x49, offset: 0)),
      ("'a'", .unexpected(byte: 0x27, offset: 0)), ("\"a", .endOfText(offset: 2)),
      ("\"a\nb\"", .unexpected(byte: 0x0A, offset: 2)),
      (#""\x""#, .unexpected(byte: 0x78, offset: 2)),
      (#""\u12"#, .endOfText(offset: 5)), (#""\u12g4""#, .unexpected(byte: 0x67, offset: 5)),
      (#""\ud800""#, .notUnicode(offset: 1)), (#""\udc00""#, .notUnicode(offset: 1)),
      (#""\ud800\u0041""#, .notUnicode(offset: 1)), (#""\ud800\ud800""#, .notUnicode(offset: 1)),
      ("// c\n1", .unexpected(byte: 0x2F, offset: 0)),
      ("\u{FEFF}1", .unexpected(byte: 0xEF, offset: 0)),
      ("1 1", .unexpected(byte: 0x31, offset: 2)), ("\u{0}", .unexpected(byte: 0, offset: 0)),
    ] as [(String, JSONError)])
  func reportsOffsetOfInvalidText(_ text: String, _ expected: JSONError) {
    #expect(throws: expected) { try parse(text) }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22],
      [0x22, 0xED, 0xA0, 0x80, 0x22],
    ] as [[UInt8]])
  func rejectsInvalidUTF8(_ bytes: [UInt8]) {
    #expect(throws: JSONError.notUnicode(offset: 1)) { try JSON(parsing: bytes) }
  }

  @Test func limitsNesting() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect("\(try parse(nested(JSON.maximumDepth)))".count == 2 * JSON.maximumDepth)
    let limit = JSON.maximumDepth
    #expect(throws: JSONError.tooDeep(offset: limit, limit: limit)) { try parse(nested(limit + 1)) }
    #expect(throws: JSONError.tooDeep(offset: 5 * limit, limit: limit)) {
      try parse(String(repeating: #"{"a":"#, count: 1_000_000))
    }
  }

  @Test func limitsSize() throws {
    #expect("\(try JSON(parsing: Array("[1]".utf8), limit: 3))" == "[1]")
    #expect(throws: JSONError.tooLarge(byteCount: 4, limit: 3)) {
      try JSON(parsing: Array("[1] ".utf8), limit: 3)
    }
  }

  /// Every prefix of a text, and every text with one changed byte, returns a value or throws.
  @Test func damagedTextsNeverTrap() {
    let text = Array(#"{"a":[1.5e-3,"\u00fc\ud83e\udeb6\n",true,null,{"é":-0}],"b":""}"#.utf8)
    var errors = 0
    for count in text.indices {
      #expect(throws: JSONError.self) { try JSON(parsing: Array(text[..<count])) }
      for byte in UInt8.min...UInt8.max {
        var damaged = text
        damaged[count] = byte
        do { _ = try JSON(parsing: damaged) } catch { errors += 1 }
      }
    }
    #expect(errors > 0)
  }
}
