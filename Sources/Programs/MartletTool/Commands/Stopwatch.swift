//===--- Stopwatch.swift - processing time of an image --------------------===//
//
// Only `--timings` reads the clock; without it two runs print the same bytes.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine

/// Measures the time from reading an image's file to its result.
struct Stopwatch {
  static let option = OptionSpecification(
    "--timings", help: "Report the time of each image in milliseconds")

  private let start: Double?

  /// A running stopwatch, or one without a time.
  init(isRunning: Bool) { start = isRunning ? MonotonicClock.now : nil }

  private var milliseconds: Double? {
    guard let start else { return nil }
    return (MonotonicClock.now - start) * 1000
  }

  /// The JSON member with the time; empty without `--timings`.
  var json: [(String, JSON)] {
    milliseconds.map { [("milliseconds", .number($0, places: 3))] } ?? []
  }

  /// The table cell with the time; empty without `--timings`.
  var words: String { milliseconds.flatMap { JSON.decimal($0, places: 1, isPadded: true) } ?? "" }
}
