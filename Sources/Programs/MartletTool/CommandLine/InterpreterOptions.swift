//===--- InterpreterOptions.swift - options of commands with networks -----===//

import MartletCommandLine
import MartletInference
import MartletSystem

extension Arguments {
  /// The interpreter options for `--kernels`, `--threads` and `--timeout`, whose limit is `deadline`
  /// or, for models, that of each operation.
  func interpreterOptions(_ deadline: Deadline? = nil) throws(UsageError) -> Interpreter.Options {
    let kernels = try choice("--kernels", of: ["fast": KernelSet.fast, "reference": .reference])
    let check = if let deadline { deadline.check } else { try TimeoutOption.check(self) }
    return Interpreter.Options(
      kernels: kernels ?? .fast, workers: try workers(), cancellation: check)
  }

  /// The number of threads of `--threads`. Default: one per core.
  func workers() throws(UsageError) -> Workers {
    let count = try integer("--threads", in: 1...1024)
    return .pool(count: count ?? Processors.count)
  }
}
