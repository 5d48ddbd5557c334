//===--- ToolSpecification.swift - a tool and what is made of its commands ===//
//
// The name of a tool and its commands: from this table come the parser, the help, the completions and
// the manual page, so that they never disagree.
//
// Checked   Tests/MartletCommandLineTests/CompletionTests.swift, ManualPageTests.swift
//===----------------------------------------------------------------------===//

/// A tool: its name, what it does, and its commands.
package struct ToolSpecification {
  package let name: String
  package let summary: String
  /// The version that all tools of the package print.
  package static let version = "0.9.0"
  package let commands: [CommandSpecification]

  package init(name: String, summary: String, commands: [CommandSpecification]) {
    self.name = name
    self.summary = summary
    self.commands = commands
  }

  /// The text that the tool's `--help` prints.
  package var help: String {
    var table = TextTable([("commands", .left), ("", .left)])
    for command in commands { table.add("  " + command.name, command.summary) }
    return """
      \(summary)

      usage: \(name) COMMAND [options]; \(name) help COMMAND tells more; \(name) --version

      \(table)
      """
  }
}
