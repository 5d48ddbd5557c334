//===--- MonotonicClock.swift - a monotonic clock -------------------------===//
//
// For deadlines and measurements. The standard library's `ContinuousClock` does the same, but links
// all of Swift's concurrency.
//===----------------------------------------------------------------------===//

/// A clock that never goes back and cannot be set.
package enum MonotonicClock {
  /// The time since a fixed point, until the machine restarts. The system writes into `time` only
  /// during the call.
  package static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Duration(
      secondsComponent: Int64(time.tv_sec),
      attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
  }
}

extension Duration {
  /// The duration in whole nanoseconds.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
