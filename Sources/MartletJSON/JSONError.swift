//===--- JSONError.swift - why a text could not be read as JSON -----------===//

/// Why bytes are no JSON text, or its values are not those that were expected.
package enum JSONError: Error, Equatable, Sendable {
  case tooLarge(byteCount: Int, limit: Int)
  /// The text ends within a value.
  case endOfText(offset: Int)
  /// Nothing that may stand here begins with this byte.
  case unexpected(byte: UInt8, offset: Int)
  /// The string that begins here is no UTF-8, or the escape no Unicode scalar.
  case notUnicode(offset: Int)
  case repeatedName(String, offset: Int)
  case tooDeep(offset: Int, limit: Int)
  /// There is no value at this path.
  case missing(path: String)
  /// The value at this path is of another type, or out of its range.
  case mismatch(path: String, expected: String)
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let count, let limit): "JSON of \(count) bytes, \(limit) allowed"
    case .endOfText(let offset): "the JSON ends within a value, at byte \(offset)"
    case .unexpected(let byte, let offset):
      "no JSON: 0x\(String(byte, radix: 16)) at byte \(offset)"
    case .notUnicode(let offset): "no Unicode text in the JSON at byte \(offset)"
    case .repeatedName(let name, let offset): "the name \(name) comes twice, at byte \(offset)"
    case .tooDeep(let offset, let limit):
      "more than \(limit) arrays and objects in each other, at byte \(offset)"
    case .missing(let path): "there is no \(path)"
    case .mismatch(let path, let expected):
      "\(path.isEmpty ? "the JSON" : path) is no \(expected)"
    }
  }
}
