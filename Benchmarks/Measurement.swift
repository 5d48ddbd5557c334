//===--- Measurement.swift - timing of runs -------------------------------===//
//
// Warms up, then times runs until both the run count and the total time reach their minimum.
//===----------------------------------------------------------------------===//

import MartletBase

/// The times of repeated runs, in milliseconds.
struct Measurement {
  /// The smallest number of timed runs, and the shortest total time in seconds.
  private static let minimumRuns = 30
  static let minimumTime = 0.5
  private static let warmUpRuns = 2
  private static let warmUpTime = 0.05

  /// The times in increasing order.
  private let times: [Double]

  /// Measures the time, or the processor time of all threads.
  init(
    minimumTime: Double = minimumTime, ofProcessor: Bool = false, of body: () throws -> Void
  ) rethrows {
    _ = try Measurement.times(
      of: body, runs: Measurement.warmUpRuns, time: Measurement.warmUpTime, ofProcessor)
    times = try Measurement.times(
      of: body, runs: Measurement.minimumRuns, time: minimumTime, ofProcessor
    ).sorted()
  }

  private static func times(
    of body: () throws -> Void, runs: Int, time: Double, _ ofProcessor: Bool
  ) rethrows -> [Double] {
    var times: [Double] = []
    times.reserveCapacity(1 << 14)
    let start = MonotonicClock.now
    var now = start
    while times.count < runs || now - start < time {
      let (before, work) = (MonotonicClock.now, Machine.processorTime)
      try body()
      let worked = Machine.processorTime - work
      now = MonotonicClock.now
      times.append(ofProcessor ? worked : (now - before) * 1000)
    }
    return times
  }

  var runs: Int { times.count }
  var minimum: Double { times[0] }
  var median: Double { quantile(0.5) }
  /// The distance between the first and third quartiles.
  var interquartileRange: Double { quantile(0.75) - quantile(0.25) }

  /// The quantile at `share`, rounded to the nearest run.
  private func quantile(_ share: Double) -> Double {
    times[Int((Double(times.count - 1) * share).rounded())]
  }
}
