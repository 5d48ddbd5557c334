//===--- PythonLiteral.swift - literals of Python as JSON -----------------===//
//
// Dictionaries, lists, tuples, strings, numbers, True, False and None, as `str` writes them.
//
// Contract  Other text is no literal. Keys that are numbers become strings. Values nest at most
//           `depthLimit` deep.
// Cost      One pass.
// Source    The Python Language Reference, 2.4 and 6.2.
//===----------------------------------------------------------------------===//

import MartletBase

/// Reads literals of Python.
package struct PythonLiteral {
  private static let depthLimit = 16

  private let bytes: [UInt8]
  private var place = 0

  /// The value of a literal, or `nil` if the text is none.
  package static func parse(_ bytes: [UInt8]) -> JSON? {
    var parser = PythonLiteral(bytes: bytes)
    guard let value = parser.value(depth: 0) else { return nil }
    parser.skipSpace()
    return parser.place == bytes.count ? value : nil
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func skipSpace() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  /// Reads this character, behind white space, if it is the next one.
  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func value(depth: Int) -> JSON? {
    guard depth < PythonLiteral.depthLimit else { return nil }
    if takes("{") { return members(depth: depth) }
    if takes("[") { return elements(until: "]", depth: depth) }
    if takes("(") { return elements(until: ")", depth: depth) }
    if takes("'") { return string(until: UInt8(ascii: "'")).map { .string($0) } }
    if takes("\"") { return string(until: UInt8(ascii: "\"")).map { .string($0) } }
    let start = place
    while place < bytes.count, isWordByte(bytes[place]) { place += 1 }
    switch String(decoding: bytes[start..<place], as: UTF8.self) {
    case "True": return .bool(true)
    case "False": return .bool(false)
    case "None": return .null
    case let word: return Double(word) == nil ? nil : .literal(word)
    }
  }

  /// Whether a number or a name may contain this byte.
  private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private mutating func elements(until end: Unicode.Scalar, depth: Int) -> JSON? {
    var elements: [JSON] = []
    while !takes(end) {
      guard let element = value(depth: depth + 1) else { return nil }
      elements.append(element)
      if takes(",") { continue }
      return takes(end) ? .array(elements) : nil
    }
    return .array(elements)
  }

  private mutating func members(depth: Int) -> JSON? {
    var members: [(String, JSON)] = []
    while !takes("}") {
      guard let key = value(depth: depth + 1), takes(":"),
        let value = value(depth: depth + 1)
      else { return nil }
      switch key {
      case .string(let name), .literal(let name): members.append((name, value))
      default: return nil
      }
      if takes(",") { continue }
      return takes("}") ? .object(members) : nil
    }
    return .object(members)
  }

  /// The string up to `quote`; the first quote has been read.
  private mutating func string(until quote: UInt8) -> String? {
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\"), place < bytes.count else {
        text.append(byte)
        continue
      }
      let escaped = bytes[place]
      place += 1
      switch escaped {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "r"): text.append(0x0D)
      default: text.append(escaped)
      }
    }
    return nil
  }
}
