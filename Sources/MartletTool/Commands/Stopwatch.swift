//===--- Stopwatch.swift - how long an image took -------------------------===//
//
// Only where `--timings` asks: without it no clock is read, and two runs print the same bytes.
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletJSON
import MartletSystem

/// Measures from reading an image's file to its result.
struct Stopwatch {
  static let option = OptionSpecification(
    "--timings", help: "tell how many milliseconds each image took")

  private let start: Duration?

  /// A watch that runs, or one that tells nothing.
  init(isRunning: Bool) { start = isRunning ? MonotonicClock.now : nil }

  private var milliseconds: Double? {
    guard let start else { return nil }
    return Double((MonotonicClock.now - start).nanoseconds) / 1e6
  }

  /// The member that an image's JSON gets, if any.
  var json: [(String, JSON)] {
    milliseconds.map { [("milliseconds", .number($0, places: 3))] } ?? []
  }

  /// The cell that an image's row gets; empty without `--timings`.
  var words: String { milliseconds.flatMap { JSON.decimal($0, places: 1, isPadded: true) } ?? "" }
}
