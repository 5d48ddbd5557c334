//===--- CSV.swift - comma-separated values -------------------------------===//
//
// Source    RFC 4180, with a line feed alone at a line's end.
// Checked   Tests/MartletCommandLineTests/CSVTests.swift
//===----------------------------------------------------------------------===//

/// Lines of comma-separated values.
package enum CSV {
  /// The line of these fields, without its end.
  package static func line(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",")
  }

  /// A field, in quotation marks where it holds a comma, a quotation mark or a line's end.
  private static func quoted(_ field: String) -> String {
    let special: [UInt8] = [0x0A, 0x0D, UInt8(ascii: "\""), UInt8(ascii: ",")]
    guard field.utf8.contains(where: special.contains) else { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
