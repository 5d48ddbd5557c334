//===--- ToolSpecification.swift - specification of a tool ----------------===//
//
// The parser, the help, the completions and the manual page are derived from this specification, so
// that they always agree.
//===----------------------------------------------------------------------===//

/// A tool: its name, its purpose and its commands.
package struct ToolSpecification {
  package let name: String
  package let summary: String
  package let commands: [CommandSpecification]
  /// Command lines for the manual, each with what it does.
  package let examples: [(line: String, effect: String)]

  package init(
    name: String, summary: String, commands: [CommandSpecification],
    examples: [(line: String, effect: String)] = []
  ) {
    self.name = name
    self.summary = summary
    self.commands = commands
    self.examples = examples
  }

  /// The text of the tool's `--help`.
  package var help: String {
    var table = TextTable([("commands", .left), ("", .left)])
    for command in commands { table.add("  " + command.name, command.summary) }
    let examples = examples.map { "\n  \($0.line)\n      \($0.effect)" }.joined()
    return """
      \(summary)

      usage: \(name) COMMAND [options]; \(name) help COMMAND for its options; \(name) --version

      \(table)\(examples.isEmpty ? "" : "\n\nexamples" + examples)
      """
  }
}
