//===--- MonotonicClock.swift - how much time has passed ------------------===//
//
// For deadlines and for measuring. The standard library's `ContinuousClock` does the same, but links
// the whole of Swift's concurrency.
//
// Checked   Tests/MartletSystemTests/MonotonicClockTests.swift
//===----------------------------------------------------------------------===//

/// A clock that never goes back and that nobody sets.
package enum MonotonicClock {
  /// The time since a point that stays the same as long as the machine runs. The system writes into `time`
  /// during the call alone.
  package static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Duration(
      secondsComponent: Int64(time.tv_sec),
      attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
  }
}

extension Duration {
  /// The whole nanoseconds.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
