//===--- CommandSpecification.swift - what a command accepts --------------===//
//
// A command's name, its operands and its options, from which arguments are parsed and help is
// printed: nothing is written twice.
//
// Checked   Tests/MartletToolTests/ArgumentsTests.swift
//===----------------------------------------------------------------------===//

/// An option of a command: `--name` alone, or with a value.
struct OptionSpecification {
  let name: String
  /// What the value is called in help, or `nil` for an option without one.
  let value: String?
  let help: String
  /// Whether it may be given more than once.
  let repeats: Bool

  init(_ name: String, _ value: String? = nil, repeats: Bool = false, help: String) {
    self.name = name
    self.value = value
    self.repeats = repeats
    self.help = help
  }
}

/// A command and what it accepts.
struct CommandSpecification {
  let name: String
  let summary: String
  /// What the operands are called in help, with how many of them there may be.
  let operands: String
  let operandCount: ClosedRange<Int>
  let options: [OptionSpecification]

  /// Options of every command.
  static let common = [
    OptionSpecification("--threads", "N", help: "how many threads may work (default: all cores)"),
    OptionSpecification("--help", help: "show this text"),
  ]

  /// The text that `--help` prints.
  var help: String {
    let all = options + CommandSpecification.common
    let labels = all.map { $0.name + ($0.value.map { " " + $0 } ?? "") }
    let width = labels.map(\.count).max() ?? 0
    let lines = zip(labels, all).map { label, option in
      "  " + label + String(repeating: " ", count: width - label.count + 2) + option.help
    }
    return """
      \(summary)

      usage: martlet \(name) \(operands) [options]

      \(lines.joined(separator: "\n"))
      """
  }
}
