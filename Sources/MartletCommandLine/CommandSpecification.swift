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
  /// The options of which one must be given too, if there are any.
  package let needs: [String]
  /// The options beside which it may not be given.
  package let excludes: [String]

  package init(
    _ name: String, _ value: String? = nil, repeats: Bool = false, needs: [String] = [],
    excludes: [String] = [], help: String
  ) {
    self.name = name
    self.value = value
    self.repeats = repeats
    self.needs = needs
    self.excludes = excludes
    self.help = help
  }

  /// The option where it does something only beside `option`.
  package func needing(_ option: String) -> OptionSpecification {
    OptionSpecification(
      name, value, repeats: repeats, needs: [option], excludes: excludes, help: help)
  }

  /// The option where it does nothing beside `option`.
  package func excluding(_ option: String) -> OptionSpecification {
    OptionSpecification(
      name, value, repeats: repeats, needs: needs, excludes: excludes + [option], help: help)
  }

  /// The option with its value, as help and manual show it: `--model FILE.tflite`.
  package var usage: String { name + (value.map { " " + $0 } ?? "") }

  /// The words that the value may be, where there are only some: those of `fast|reference`.
  package var choices: [String] { words(of: value ?? "") }
}

/// The words between the bars of `fast|reference`; none where there is no bar.
private func words(of choice: String) -> [String] {
  choice.contains("|") ? choice.split(separator: "|").map(String.init) : []
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

  /// The command's options and those of every command.
  package var allOptions: [OptionSpecification] { options + CommandSpecification.common }

  /// The words that an operand may be, where there are only some.
  package var operandChoices: [String] { words(of: operands) }

  /// How the command is called; `invocation` is what one types to get here.
  package func usage(invocation: String) -> String {
    [invocation, operands, "[options]"].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The text that `--help` prints.
  package func help(invocation: String) -> String {
    let all = allOptions
    let labels = all.map(\.usage)
    let width = labels.map(\.count).max() ?? 0
    let lines = zip(labels, all).map { label, option in
      "  " + label + String(repeating: " ", count: width - label.count + 2) + option.help
    }
    return """
      \(summary)

      usage: \(usage(invocation: invocation))

      \(lines.joined(separator: "\n"))
      """
  }
}
