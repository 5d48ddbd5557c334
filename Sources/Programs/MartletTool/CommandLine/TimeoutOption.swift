//===--- TimeoutOption.swift - the option --timeout -----------------------===//

import MartletBase
import MartletCommandLine
import MartletInference
import MartletVision

/// The option `--timeout` of commands that decode images or run networks.
enum TimeoutOption {
  private static let name = "--timeout"

  /// The option of commands that process images.
  static let ofImages = OptionSpecification(
    name, "SECONDS",
    help: "Time limit per image or frame, and to prepare models (default: none)")

  /// The option of commands that run a model.
  static let ofModels = OptionSpecification(
    name, "SECONDS",
    help: "Time limit to prepare the model, and of each run (default: none)")

  /// The limit of a command that processes images.
  static func deadline(_ arguments: Arguments) throws(UsageError) -> Deadline {
    Deadline(seconds: try limit(arguments))
  }

  /// The limit of each operation of a command that runs a model.
  static func check(_ arguments: Arguments) throws(UsageError) -> CancellationCheck {
    try limit(arguments).map { .timeLimit(seconds: $0) } ?? .never
  }

  private static func limit(_ arguments: Arguments) throws(UsageError) -> Double? {
    try arguments.number(name, in: DecodingConfiguration.timeoutRange)
  }
}
