//===--- Benchmark.swift - a benchmark and its result ---------------------===//

/// A benchmark, which is prepared only if it is requested.
struct Benchmark {
  let name: String
  /// Whether runs have a steady state, in which allocations are counted.
  var isSteady = false
  let prepare: () throws -> Work
}

/// A benchmark that is ready to run.
struct Work {
  /// The unit of the work.
  enum Unit {
    /// Multiply-adds, compared with the machine's peak.
    case multiplyAdds(Int, of: Arithmetic)
    case pixels(Int)
    case none
  }

  let unit: Unit
  /// The total size in bytes of the interpreter's tensors, if there is an interpreter.
  var arenaByteCount: Int?
  let run: () throws -> Void
}

/// The two kinds of multiply-adds.
enum Arithmetic {
  case float32
  /// Pairs of 16-bit integers into 32-bit sums, as in eight-bit networks.
  case int16
}

/// The result of a benchmark.
struct Outcome {
  let name: String
  let measurement: Measurement
  let unit: Work.Unit
  let arenaByteCount: Int?
  let isSteady: Bool
  /// The allocations of one run in the steady state, if they were counted.
  let allocations: Int?
}

/// A benchmark that cannot run, and the reason.
struct Skipped {
  let name: String
  let reason: String
}
