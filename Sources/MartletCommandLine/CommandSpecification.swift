//===--- CommandSpecification.swift - what a command accepts --------------===//
//
// A command's name, its operands and its options, from which arguments are parsed and help is
// printed: nothing is written twice.
//
// Checked   Tests/MartletCommandLineTests/ArgumentsTests.swift
//===----------------------------------------------------------------------===//

/// An option of a command: `--name` alone, or with a value.
package struct OptionSpecification {
  package let name: String
  /// What the value is called in help, or `nil` for an option without one.
  package let value: String?
  package let help: String
  /// Whether it may be given more than once.
  package let repeats: Bool

  package init(_ name: String, _ value: String? = nil, repeats: Bool = false, help: String) {
    self.name = name
    self.value = value
    self.repeats = repeats
    self.help = help
  }
}

/// A command and what it accepts.
package struct CommandSpecification {
  package let name: String
  package let summary: String
  /// What the operands are called in help, with how many of them there may be.
  package let operands: String
  package let operandCount: ClosedRange<Int>
  package let options: [OptionSpecification]

  package init(
    name: String, summary: String, operands: String, operandCount: ClosedRange<Int>,
    options: [OptionSpecification]
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandCount = operandCount
    self.options = options
  }

  /// Options of every command.
  package static let common = [
    OptionSpecification("--threads", "N", help: "how many threads may work (default: all cores)"),
    OptionSpecification("--help", help: "show this text"),
  ]

  /// The text that `--help` prints; `invocation` is what one types to get here.
  package func help(invocation: String) -> String {
    let all = options + CommandSpecification.common
    let labels = all.map { $0.name + ($0.value.map { " " + $0 } ?? "") }
    let width = labels.map(\.count).max() ?? 0
    let lines = zip(labels, all).map { label, option in
      "  " + label + String(repeating: " ", count: width - label.count + 2) + option.help
    }
    let usage = [invocation, operands, "[options]"].filter { !$0.isEmpty }
    return """
      \(summary)

      usage: \(usage.joined(separator: " "))

      \(lines.joined(separator: "\n"))
      """
  }
}
