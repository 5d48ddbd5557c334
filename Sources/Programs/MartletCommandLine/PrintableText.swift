//===--- PrintableText.swift - text without control characters ------------===//
//
// Contract  Control characters (C0, DEL, C1), line and paragraph separators, and characters that
//           change the direction of text become `\u{HEX}`; others are unchanged. External text
//           (names, labels, errors, paths) is printed this way. JSON and CSV are for programs and
//           have their own escapes.
//===----------------------------------------------------------------------===//

extension String {
  /// The text on one line, with control characters as `\u{HEX}`.
  package var printable: String { printable(keepingLines: false) }

  /// The same; optionally keeps line feeds.
  package func printable(keepingLines: Bool) -> String {
    guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isTerminalControl, !(keepingLines && scalar == "\n") {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isTerminalControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
