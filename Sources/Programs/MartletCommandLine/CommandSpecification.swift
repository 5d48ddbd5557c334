//===--- CommandSpecification.swift - specification of a command ----------===//
//
// A command's name, operands and options. Arguments are parsed and the help is printed from this
// specification.
//===----------------------------------------------------------------------===//

/// An option of a command: `--name`, with or without a value.
package struct OptionSpecification {
  package let name: String
  /// The names of the values in the help, separated by spaces; `nil` for an option without a value.
  package let value: String?
  package let help: String
  /// Whether the option may be repeated.
  package let repeats: Bool
  /// Whether the value is the path of a file that is read, and therefore never written.
  package let isInput: Bool
  /// The options of which one is required too; empty for none.
  package let needs: [String]
  /// The options that it cannot be combined with.
  package let excludes: [String]

  package init(
    _ name: String, _ value: String? = nil, repeats: Bool = false, isInput: Bool = false,
    needs: [String] = [], excludes: [String] = [], help: String
  ) {
    self.name = name
    self.value = value
    self.repeats = repeats
    self.isInput = isInput
    self.needs = needs
    self.excludes = excludes
    self.help = help
  }

  /// The same option, requiring `option`.
  package func needing(_ option: String) -> OptionSpecification {
    OptionSpecification(
      name, value, repeats: repeats, isInput: isInput, needs: [option], excludes: excludes,
      help: help)
  }

  /// The same option, excluding `option`.
  package func excluding(_ option: String) -> OptionSpecification {
    OptionSpecification(
      name, value, repeats: repeats, isInput: isInput, needs: needs,
      excludes: excludes + [option], help: help)
  }

  /// The option with its value, as in the help and manual: `-o, --output FILE`.
  package var usage: String {
    (short.map { $0 + ", " } ?? "") + name + (value.map { " " + $0 } ?? "")
  }

  /// The option's name of one letter, if it has one: the same in all commands.
  package var short: String? {
    CommandSpecification.shortNames.first { $0.value == name }?.key
  }

  /// The names of the values.
  var valueNames: [String] { value?.split(separator: " ").map(String.init) ?? [] }

  /// The permitted first values if there is a fixed set, as in `fast|reference`; else empty.
  package var choices: [String] { words(of: valueNames.first ?? "") }
}

/// The words separated by bars, as in `fast|reference`; empty if there is no bar.
private func words(of choice: String) -> [String] {
  choice.contains("|") ? choice.split(separator: "|").map(String.init) : []
}

/// The specification of a command.
package struct CommandSpecification {
  package let name: String
  package let summary: String
  /// The name of the operands in the help, and their permitted number.
  package let operands: String
  package let operandCount: ClosedRange<Int>
  package let options: [OptionSpecification]
  /// Whether the command uses threads.
  package let isComputing: Bool
  /// The help's lines below the options: the forms of operands, and an example.
  package let remarks: [String]

  package init(
    name: String, summary: String, operands: String, operandCount: ClosedRange<Int>,
    isComputing: Bool = true, options: [OptionSpecification], remarks: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandCount = operandCount
    self.options = options
    self.isComputing = isComputing
    self.remarks = remarks
  }

  /// The names of one letter.
  static let shortNames: KeyValuePairs = [
    "-o": "--output", "-r": "--recursive", "-j": "--threads", "-h": "--help",
  ]

  /// What other tools call options that have another name here.
  static let foreignNames: KeyValuePairs = [
    "--conf": "--min-score", "--conf-thres": "--min-score", "--save-txt": "--format yolo",
    "--classes": "--allow-labels", "--names": "--labels", "--weights": "--detector",
    "--save": "--annotate", "--jobs": "--threads",
  ]

  /// The options of every command.
  package static let common = [
    OptionSpecification("--help", help: "Show this help"),
    OptionSpecification("--version", help: "Show the version"),
  ]
  private static let threads = OptionSpecification(
    "--threads", "N", help: "Number of threads (default: all cores)")

  /// The command's own options and the common ones; `--threads` if it computes anything.
  package var allOptions: [OptionSpecification] {
    options + (isComputing ? [CommandSpecification.threads] : []) + CommandSpecification.common
  }

  /// The option that another tool's or a misspelled name may mean.
  func option(meantBy name: String) -> String? {
    let names = allOptions.map(\.name)
    let foreign = CommandSpecification.foreignNames.first { $0.key == name }?.value
    guard let foreign, let option = foreign.split(separator: " ").first,
      names.contains(String(option))
    else { return names.nearest(to: name) }
    return foreign
  }

  /// The permitted operands if there is a fixed set; else empty.
  package var operandChoices: [String] { words(of: operands) }

  /// The usage line; `invocation` is the tool's name as typed.
  package func usage(invocation: String) -> String {
    [invocation, operands, "[options]"].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The text of `--help`.
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

      \((lines + (remarks.isEmpty ? [] : [""] + remarks)).joined(separator: "\n"))
      """
  }
}
