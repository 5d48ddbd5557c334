//===--- CSV.swift - comma-separated values -------------------------------===//
//
// Source    RFC 4180, but lines end with a line feed only.
//===----------------------------------------------------------------------===//

/// Lines of comma-separated values.
package enum CSV {
  /// A line of these fields, without the line feed.
  package static func line(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",")
  }

  /// A field, quoted if it contains a comma, a quotation mark or a line break.
  private static func quoted(_ field: String) -> String {
    let special: [UInt8] = [0x0A, 0x0D, UInt8(ascii: "\""), UInt8(ascii: ",")]
    guard field.utf8.contains(where: special.contains) else { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
