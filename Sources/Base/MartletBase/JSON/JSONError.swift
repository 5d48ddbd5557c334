//===--- JSONError.swift - errors of JSON ---------------------------------===//

/// An error of parsing JSON or of reading its values.
package enum JSONError: Error, Equatable, Sendable {
  case tooLarge(byteCount: Int, limit: Int)
  /// The text ends inside a value.
  case endOfText(offset: Int)
  /// The byte cannot start anything that is permitted here.
  case unexpected(byte: UInt8, offset: Int)
  /// The string that starts here is not UTF-8, or the escape is not a Unicode scalar.
  case notUnicode(offset: Int)
  case repeatedName(String, offset: Int)
  case tooDeep(offset: Int, limit: Int)
  /// The value at this path is missing.
  case missing(path: String)
  /// The value at this path has another type or is out of range.
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
    case .missing(let path): "the member \(path) is missing"
    case .mismatch(let path, let expected):
      "\(path.isEmpty ? "the JSON" : path): expected \(expected)"
    }
  }
}
