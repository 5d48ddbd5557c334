//===--- JSONParser.swift - parsing JSON ----------------------------------===//
//
// Contract  Any bytes return a value or throw a `JSONError` with the place. Strict: UTF-8 without a
//           byte order mark, one value surrounded by white space, no repeated names in an object,
//           no lone surrogates. Numbers keep their text, so that the reader chooses the type.
// Cost      One pass; the recursion depth is the nesting depth, which is limited.
// Source    RFC 8259
//===----------------------------------------------------------------------===//

extension JSON {
  /// The default limit of a text: 256 MiB.
  package static let maximumSize = 1 << 28
  /// The deepest nesting of arrays and objects.
  package static let maximumDepth = 128

  /// Parses a UTF-8 text of at most `limit` bytes.
  package init(
    parsing bytes: [UInt8], limit: Int = JSON.maximumSize
  ) throws(JSONError) {
    guard bytes.count <= limit else { throw .tooLarge(byteCount: bytes.count, limit: limit) }
    var parser = JSONParser(bytes: bytes)
    self = try parser.document()
  }
}

private struct JSONParser {
  private let bytes: [UInt8]
  private var offset = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Parses one value and requires the end of the text.
  mutating func document() throws(JSONError) -> JSON {
    let value = try value(depth: 0)
    skipSpace()
    guard offset == bytes.count else { throw .unexpected(byte: bytes[offset], offset: offset) }
    return value
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSON {
    skipSpace()
    switch try current() {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .literal(try number())
    }
  }

  // MARK: - Bytes

  private func current() throws(JSONError) -> UInt8 {
    guard offset < bytes.count else { throw .endOfText(offset: offset) }
    return bytes[offset]
  }

  /// Consumes `byte` if it is next; returns whether it was.
  private mutating func takes(_ byte: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: byte) else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ byte: Unicode.Scalar) throws(JSONError) {
    guard takes(byte) else { throw .unexpected(byte: try current(), offset: offset) }
  }

  private mutating func skipSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }

  private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
    for character in word.utf8 {
      guard try current() == character else {
        throw .unexpected(byte: bytes[offset], offset: offset)
      }
      offset += 1
    }
    return value
  }

  // MARK: - Arrays and objects

  private mutating func array(depth: Int) throws(JSONError) -> JSON {
    var values: [JSON] = []
    try list(depth: depth, end: "]") { parser throws(JSONError) in
      values.append(try parser.value(depth: depth))
    }
    return .array(values)
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSON {
    var members: [(String, JSON)] = []
    var names: Set<String> = []
    try list(depth: depth, end: "}") { parser throws(JSONError) in
      parser.skipSpace()
      let start = parser.offset
      let name = try parser.string()
      guard names.insert(name).inserted else { throw .repeatedName(name, offset: start) }
      parser.skipSpace()
      try parser.expect(":")
      members.append((name, try parser.value(depth: depth)))
    }
    return .object(members)
  }

  /// Parses elements separated by commas, after the opening bracket, up to `end`.
  private mutating func list(
    depth: Int, end: Unicode.Scalar, _ element: (inout JSONParser) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard depth <= JSON.maximumDepth else {
      throw .tooDeep(offset: offset, limit: JSON.maximumDepth)
    }
    offset += 1
    skipSpace()
    if takes(end) { return }
    while true {
      try element(&self)
      skipSpace()
      if takes(end) { return }
      try expect(",")
    }
  }

  // MARK: - Numbers

  private mutating func number() throws(JSONError) -> String {
    let start = offset
    _ = takes("-")
    if !takes("0") { try digits() }
    if takes(".") { try digits() }
    if takes("e") || takes("E") {
      if !takes("+") { _ = takes("-") }
      try digits()
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Consumes at least one digit.
  private mutating func digits() throws(JSONError) {
    let start = offset
    while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) {
      offset += 1
    }
    guard offset > start else { throw .unexpected(byte: try current(), offset: offset) }
  }

  // MARK: - Strings

  private mutating func string() throws(JSONError) -> String {
    try expect("\"")
    let start = offset
    var text: [UInt8] = []
    while true {
      let byte = try current()
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(utf8: text) else {
          throw .notUnicode(offset: start)
        }
        return string
      case UInt8(ascii: "\\"): try escape(into: &text)
      case ..<0x20: throw .unexpected(byte: byte, offset: offset - 1)
      default: text.append(byte)
      }
    }
  }

  /// Parses the escape after a backslash.
  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    let byte = try current()
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += try escapedScalar().utf8
    default: throw .unexpected(byte: byte, offset: offset - 1)
    }
  }

  /// Parses a scalar of one escape, or of two that are a surrogate pair.
  private mutating func escapedScalar() throws(JSONError) -> String {
    let start = offset - 2
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return String(scalar) }
    guard first < 0xDC00, takes("\\"), takes("u") else { throw .notUnicode(offset: start) }
    let second = try hexadecimal()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw .notUnicode(offset: start) }
    return String(scalar)
  }

  /// Parses four hexadecimal digits.
  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = try current()
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw .unexpected(byte: byte, offset: offset)
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}
