//===--- PrintableText.swift - text that cannot steer a terminal ----------===//
//
// Contract  Control characters (C0, DEL, C1), line and paragraph separators, and characters that
//           change the direction of text become `\u{HEX}`; all others stay. What comes from outside
//           (names, labels, errors, paths) is printed through this. JSON and CSV are for programs and
//           keep their own escapes.
// Checked   Tests/MartletCommandLineTests/PrintableTextTests.swift
//===----------------------------------------------------------------------===//

extension String {
  /// The text on one line, with characters that steer a terminal as `\u{HEX}`.
  package var printable: String { printable(keepingLines: false) }

  /// The same; line feeds stay if lines are kept.
  package func printable(keepingLines: Bool) -> String {
    guard unicodeScalars.contains(where: \.steersTerminal) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.steersTerminal, !(keepingLines && scalar == "\n") {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var steersTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
