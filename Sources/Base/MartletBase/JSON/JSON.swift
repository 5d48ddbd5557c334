//===--- JSON.swift - JSON values and encoding ----------------------------===//
//
// Contract  Members keep their order. Rounded numbers are decimal, without exponent or trailing
//           zeros. Strings are escaped as in RFC 8259. NaN and infinities become `null`.
//===----------------------------------------------------------------------===//

/// A JSON value; its description is one line.
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// A number and the decimal places to keep.
  case number(Double, places: Int)
  /// A number with the digits needed to restore it exactly.
  case float(Float)
  /// A number as in the parsed text; the parser returns all numbers this way.
  case literal(String)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])
}

extension JSON: CustomStringConvertible {
  package var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let value, let places): JSON.decimal(value, places: places) ?? "null"
    case .float(let value): value.isFinite ? "\(value)" : "null"
    case .literal(let text): text
    case .string(let value): JSON.quoted(value)
    case .array(let values): "[" + values.map { $0.description }.joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { JSON.quoted($0) + ":" + $1.description }.joined(separator: ",") + "}"
    }
  }

  /// `value` rounded to `places` decimals, ties away from zero, without trailing zeros unless
  /// `isPadded`.
  package static func decimal(
    _ value: Double, places: Int, isPadded: Bool = false
  ) -> String? {
    var factor = 1
    for _ in 0..<places { factor *= 10 }
    guard value.isFinite, let scaled = Int(exactly: (value * Double(factor)).rounded()) else {
      return nil
    }
    let (whole, fraction) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(factor))
    var digits = places > 0 ? String(fraction) : ""
    digits = String(repeating: "0", count: places - digits.count) + digits
    while !isPadded && digits.last == "0" { digits.removeLast() }
    return (scaled < 0 ? "-" : "") + String(whole) + (digits.isEmpty ? "" : "." + digits)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
