//===--- MonotonicClock.swift - a monotonic clock -------------------------===//
//
// For deadlines and measurements. The standard library's `ContinuousClock` does the same, but links
// all of Swift's concurrency, and needs iOS 16 and macOS 13, as does `Duration`.
//===----------------------------------------------------------------------===//

#if !hasFeature(Embedded)
  import MartletCLibrary

  /// A clock that never goes back and cannot be set.
  package enum MonotonicClock {
    /// The seconds since a fixed point, until the machine restarts; exact to nanoseconds for a hundred
    /// days. The system writes into `time` only during the call.
    package static var now: Double {
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return time.seconds
    }
  }

  extension timespec {
    /// The time in seconds.
    var seconds: Double { Double(tv_sec) + Double(tv_nsec) / 1e9 }
  }
#endif
