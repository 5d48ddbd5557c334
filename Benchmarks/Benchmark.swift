//===--- Benchmark.swift - something to measure ---------------------------===//

/// Something to measure, prepared only if it is requested.
struct Benchmark {
  let name: String
  /// Whether its runs are a steady state, whose allocations are counted.
  var isSteady = false
  let prepare: () throws -> Work
}

/// A benchmark that is ready to run.
struct Work {
  /// What the work is counted in.
  enum Unit {
    /// Multiply-adds, compared with the machine's peak.
    case multiplyAdds(Int, of: Arithmetic)
    case pixels(Int)
    case none
  }

  let unit: Unit
  /// The bytes that the interpreter's tensors take together, where there is one.
  var arenaByteCount: Int?
  let run: () throws -> Void
}

/// The two kinds of multiply-adds.
enum Arithmetic {
  case float32
  /// Pairs of 16-bit integers into 32-bit sums: what eight-bit networks are computed with.
  case int16
}

/// What came out.
struct Outcome {
  let name: String
  let measurement: Measurement
  let unit: Work.Unit
  let arenaByteCount: Int?
  let isSteady: Bool
  /// The allocations of one run in the steady state, where they were counted.
  let allocations: Int?
}

/// A benchmark that could not be run, and why.
struct Skipped {
  let name: String
  let reason: String
}
