//===--- Command.swift - the commands of the tool -------------------------===//

import MartletCommandLine
import MartletInference
import MartletSystem
import MartletWorkers

/// A command: its arguments, checked, and what it does.
protocol Command {
  static var specification: CommandSpecification { get }

  init(_ arguments: Arguments) throws(UsageError)

  /// Does the work and returns the exit status: 0, or 1 where an input or a check failed.
  func run() -> Int32
}

extension Arguments {
  /// Kernels, workers and time limit, as `--kernels`, `--threads` and `--timeout` ask.
  func interpreterOptions() throws(UsageError) -> Interpreter.Options {
    let kernels = try choice("--kernels", of: ["fast": KernelSet.fast, "reference": .reference])
    return Interpreter.Options(
      kernels: kernels ?? .fast, workers: try workers(),
      cancellation: try TimeoutOption.check(self))
  }

  /// The workers that `--threads` asks for, or one for each core.
  func workers() throws(UsageError) -> Workers {
    let count = try integer("--threads", in: 1...1024)
    return .pool(count: count ?? Processors.count)
  }
}
