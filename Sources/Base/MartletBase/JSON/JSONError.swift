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
  /// There is no member of this name; `nearest` is the one that may be meant.
  case unknown(path: String, nearest: String?)
  /// The value at this path has another type or is out of range.
  case mismatch(path: String, expected: String)
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let count, let limit): "the JSON has \(count) bytes, expected at most \(limit)"
    case .endOfText(let offset): "unexpected end of the JSON within a value, at byte \(offset)"
    case .unexpected(let byte, let offset):
      "invalid JSON: unexpected 0x\(String(byte, radix: 16)) at byte \(offset)"
    case .notUnicode(let offset): "invalid JSON: not Unicode text at byte \(offset)"
    case .repeatedName(let name, let offset): "duplicate key \"\(name)\" at byte \(offset)"
    case .tooDeep(let offset, let limit):
      "arrays and objects are nested deeper than \(limit), at byte \(offset)"
    case .unknown(let path, let nearest):
      "unknown member \(path)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .missing(let path): "the member \(path) is missing"
    case .mismatch(let path, let expected):
      "\(path.isEmpty ? "the JSON" : path): expected \(expected)"
    }
  }
}
