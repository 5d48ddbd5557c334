//===--- ManualPage.swift - a tool's manual page --------------------------===//
//
// Source    man-pages(7); groff's man macros.
//===----------------------------------------------------------------------===//

import MartletBase

extension ToolSpecification {
  /// The tool's manual page in groff format, for `man`.
  package var manualPage: String {
    let sections = commands.flatMap { command in
      [
        ".SS \(escaped(command.usage(invocation: "\(name) \(command.name)")))",
        escaped(command.summary),
      ]
        + command.allOptions.flatMap { [".TP", ".B \(escaped($0.usage))", escaped($0.help)] }
    }
    let examples = examples.flatMap { [".TP", ".B \(escaped($0.line))", escaped($0.effect)] }
    return """
      .TH \(name.uppercased()) 1 "" "\(name) \(packageVersion)"
      .SH NAME
      \(escaped(name)) \\- \(escaped(summary))
      .SH SYNOPSIS
      .B \(escaped(name))
      .I COMMAND
      [options]
      .SH DESCRIPTION
      Results go to standard output, everything else to standard error.
      .SH COMMANDS
      \(sections.joined(separator: "\n"))
      .SH EXAMPLES
      \(examples.joined(separator: "\n"))
      .SH EXIT STATUS
      0 success, 1 a failed input or check, 2 wrong use.

      """
  }

  /// Escapes text for groff: backslashes, hyphens, and a period or quotation mark at the start of a
  /// line.
  private func escaped(_ text: String) -> String {
    let body = text.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      default: result.append(character)
      }
    }
    return body.hasPrefix(".") || body.hasPrefix("'") ? "\\&" + body : body
  }
}
