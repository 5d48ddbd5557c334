//===--- TimeoutOption.swift - the option --timeout -----------------------===//
//
// Checked   Tests/MartletToolTests/TimeoutTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletInference
import MartletSystem

/// The option `--timeout` of commands that run networks.
enum TimeoutOption {
  static let specification = OptionSpecification(
    "--timeout", "SECONDS",
    help: "the most time that preparing a network, or running it once, may take (default: no limit)"
  )

  /// The cancellation check for the option.
  static func check(_ arguments: Arguments) throws(UsageError) -> CancellationCheck {
    guard let seconds = try arguments.number(specification.name, in: 0.001...1_000_000) else {
      return .never
    }
    return .timeLimit(.milliseconds(Int(seconds * 1000)))
  }
}
