//===--- Arguments.swift - a command's parsed arguments -------------------===//
//
// Contract  Options may come before, between and after operands, as `--name value` or
//           `--name=value`. `--` ends the options; `-` is an operand. An unknown option, a missing
//           or surplus value, a value out of range and an option without effect throw `UsageError`:
//           exit status 2. `-o` is `--output` and so on; letters are not combined. An option with
//           two values takes the next two words. Operands and values that are paths keep their bytes.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCLibrary

/// An error in a command's arguments.
package enum UsageError: Error, Equatable {
  case unknownCommand(String, nearest: String?)
  case unknownOption(String, nearest: String?)
  case missingValue(option: String)
  case unexpectedValue(option: String)
  case repeated(option: String)
  case operandCount(found: Int, expected: ClosedRange<Int>, name: String)
  case invalidValue(option: String, value: String, expected: String)
  /// The file that the option names is not usable.
  case invalidFile(option: String, path: String, reason: String)
  /// The option requires one of the others.
  case needs(option: String, others: [String])
  /// The option cannot be combined with the other one.
  case excludes(option: String, other: String)
}

extension UsageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownCommand(let name, let nearest):
      "unknown command \(name)" + UsageError.question(nearest)
    case .unknownOption(let name, let nearest):
      "unknown option \(name)" + UsageError.question(nearest)
    case .missingValue(let option): "\(option) requires a value"
    case .unexpectedValue(let option): "\(option) takes no value"
    case .repeated(let option): "\(option) may be given only once"
    case .operandCount(let found, let expected, let name):
      UsageError.words(found, expected, name)
    case .invalidValue(let option, let value, let expected):
      "invalid value \"\(value)\" of \(option): expected \(expected)"
    case .invalidFile(let option, let path, let reason): "\(option) \(path): \(reason)"
    case .needs(let option, let others):
      "\(option) requires \(others.joined(separator: " or "))"
    case .excludes(let option, let other): "\(option) cannot be combined with \(other)"
    }
  }

  private static func question(_ nearest: String?) -> String {
    nearest.map { "; did you mean \($0)?" } ?? ""
  }

  /// Describes a wrong number of operands; `name` is their name in the help.
  private static func words(_ found: Int, _ expected: ClosedRange<Int>, _ name: String) -> String {
    let noun = name.prefix { $0 != "." && $0 != " " }
    let needed =
      if expected.upperBound == 0 {
        "no"
      } else if expected.lowerBound == expected.upperBound {
        "\(expected.lowerBound)"
      } else if expected.upperBound == Int.max {
        "at least \(expected.lowerBound)"
      } else {
        "\(expected.lowerBound) to \(expected.upperBound)"
      }
    return
      "expected \(needed) \(noun.isEmpty ? "operands" : noun), found \(found == 0 ? "none" : "\(found)")"
  }
}

extension CommandLine {
  /// The program's arguments, byte by byte. The system's strings end with a zero and stay valid.
  package static var words: [FilePath] {
    (1..<max(Int(argc), 1)).compactMap { index in
      unsafe unsafeArgv[index].map { word in
        unsafe FilePath(bytes: UnsafeRawBufferPointer(start: word, count: strlen(word)))
      }
    }
  }
}

/// The parsed operands and options.
package struct Arguments {
  package private(set) var operands: [FilePath] = []
  private var values: [String: [FilePath]] = [:]
  /// The options whose values a file lists one by one.
  private var lists: Set<String> = []
  package let command: CommandSpecification

  package init(_ words: [String], for command: CommandSpecification) throws(UsageError) {
    try self.init(words: words.map { FilePath($0) }, for: command)
  }

  /// The option that names a file of options, and the one that prints such a file.
  package static let configurationFile = "--config"
  package static let configurationPrint = "--print-config"

  /// Parses `words`. `read` returns the options in the file of `--config` that these do not override.
  package init(
    words: [FilePath], for command: CommandSpecification,
    reading read: (FilePath, Arguments) throws(UsageError) -> [(option: String, values: [String])] =
      { _, _ in [] }
  ) throws(UsageError) {
    self.command = command
    let known = command.allOptions
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.bytes.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
      ).map { FilePath(bytes: $0) }
      let given = "\(parts[0])"
      let name = CommandSpecification.shortNames.first { $0.key == given }?.value ?? given
      guard let option = known.first(where: { $0.name == name }) else {
        throw .unknownOption(given, nearest: command.option(meantBy: name))
      }
      var found = Array(parts.dropFirst())
      let count = option.valueNames.count
      guard found.count <= count else { throw .unexpectedValue(option: name) }
      while found.count < count {
        guard let value = rest.popFirst() else { throw .missingValue(option: name) }
        found.append(value)
      }
      guard values[name] == nil || option.repeats || count == 0 else {
        throw .repeated(option: name)
      }
      values[name, default: []] += count == 0 ? [""] : found
    }
    if let path = path(Arguments.configurationFile) {
      for (option, texts) in try read(path, self) {
        values[option] = texts.isEmpty ? [""] : texts.map { FilePath($0) }
        lists.insert(option)
      }
    }
    if !has("--help"), !has("--version") { try check(for: command) }
  }

  /// Throws if the number of operands is wrong or an option would have no effect.
  private func check(for command: CommandSpecification) throws(UsageError) {
    guard has(Arguments.configurationPrint) || command.operandCount.contains(operands.count) else {
      throw .operandCount(
        found: operands.count, expected: command.operandCount, name: command.operands)
    }
    for option in command.options where has(option.name) {
      guard option.needs.isEmpty || option.needs.contains(where: has) else {
        throw .needs(option: option.name, others: option.needs)
      }
      if let other = option.excludes.first(where: has) {
        throw .excludes(option: option.name, other: other)
      }
    }
  }

  /// Whether an option is present.
  package func has(_ option: String) -> Bool { values[option] != nil }

  /// Whether a file lists the values of an option one by one.
  package func isList(_ option: String) -> Bool { lists.contains(option) }

  /// All values of an option, in order.
  package func all(_ option: String) -> [String] { paths(option).map(\.description) }

  /// The last value of an option; `nil` if absent.
  package subscript(option: String) -> String? { path(option)?.description }

  /// All values of an option as paths, in order.
  package func paths(_ option: String) -> [FilePath] { values[option] ?? [] }

  /// The last value of an option as a path; `nil` if absent.
  package func path(_ option: String) -> FilePath? { values[option]?.last }

  /// The value of an option that the command requires, as a path.
  package func required(_ option: String) throws(UsageError) -> FilePath {
    guard let path = path(option) else { throw .needs(option: command.name, others: [option]) }
    return path
  }

  /// The paths of the files that the operands and options name as inputs.
  package var inputs: [FilePath] {
    operands + command.options.filter(\.isInput).flatMap { paths($0.name) }
  }

  /// The options except `ignored`, sorted, in the form `--name=value`.
  package func canonical(without ignored: Set<String>) -> [String] {
    values.filter { !ignored.contains($0.key) }.sorted { $0.key < $1.key }.flatMap { name, values in
      command.options.contains { $0.name == name && $0.value == nil }
        ? [name] : values.map { "\(name)=\($0)" }
    }
  }

  /// The value of an option as an integer in `range`.
  package func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .invalidValue(
        option: option, value: text,
        expected: range.upperBound == Int.max
          ? "a whole number of at least \(range.lowerBound)"
          : "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The value of an option as a number in `range`.
  package func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ option: String, in range: ClosedRange<Number>
  ) throws(UsageError) -> Number? {
    guard let text = self[option] else { return nil }
    guard let number = Number(text), range.contains(number) else {
      throw .invalidValue(
        option: option, value: text,
        expected: "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The value of an option that must be one of several words.
  package func choice<Value>(
    _ option: String, of choices: KeyValuePairs<String, Value>
  ) throws(UsageError) -> Value? {
    guard let text = all(option).first else { return nil }
    guard let choice = choices.first(where: { $0.key == text }) else {
      throw .invalidValue(
        option: option, value: text,
        expected: choices.map(\.key).joined(separator: " or "))
    }
    return choice.value
  }
}
