//===--- Command.swift - the protocol of commands -------------------------===//

import MartletCommandLine
import MartletInference
import MartletSystem

/// A command with its checked arguments.
protocol Command {
  static var specification: CommandSpecification { get }

  init(_ arguments: Arguments) throws(UsageError)

  /// Runs the command and returns the exit status: 0, or 1 if an input or a check failed.
  func run() -> Int32
}

extension Arguments {
  /// The interpreter options for `--kernels`, `--threads` and `--timeout`.
  func interpreterOptions() throws(UsageError) -> Interpreter.Options {
    let kernels = try choice("--kernels", of: ["fast": KernelSet.fast, "reference": .reference])
    return Interpreter.Options(
      kernels: kernels ?? .fast, workers: try workers(),
      cancellation: try TimeoutOption.check(self))
  }

  /// The number of threads of `--threads`. Default: one per core.
  func workers() throws(UsageError) -> Workers {
    let count = try integer("--threads", in: 1...1024)
    return .pool(count: count ?? Processors.count)
  }
}
