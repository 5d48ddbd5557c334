//===--- Deadline.swift - a time limit that begins again ------------------===//
//
// Decoding an image and running networks on it share one time limit, which begins again with the next
// image. `CancellationCheck.timeLimit` instead begins again with each of these operations.
//
// Contract  Any thread may ask the check. One thread at a time begins and pauses. The module for browsers
//           has no clock: martlet.js limits the time there.
//===----------------------------------------------------------------------===//

#if hasFeature(Embedded)
  /// Without a clock there is no limit.
  package struct Deadline: Sendable {
    package static let hasClock = false

    package init(seconds limit: Double?) {}
    package func begin() {}
    package var check: CancellationCheck { .never }
  }
#else
  import MartletCLibrary

  /// A time limit for several operations together.
  package final class Deadline: Sendable {
    package static let hasClock = true

    private let limit: Double?
    /// The end by the monotonic clock.
    private let end = Mutex(0.0)

    /// A limit that begins now; none if it is `nil`.
    package init(seconds limit: Double?) {
      self.limit = limit
      begin()
    }

    /// Begins the time again.
    package func begin() {
      guard let limit else { return }
      end.withLock { $0 = MonotonicClock.now + limit }
    }

    /// Calls `body`, for example to read from a pipe, and does not count the time that it waits.
    package func pausing<Result>(_ body: () -> Result) -> Result {
      guard limit != nil else { return body() }
      let start = Deadline.idleTime
      defer { end.withLock { $0 += Deadline.idleTime - start } }
      return body()
    }

    /// The seconds in which the calling thread has not run.
    private static var idleTime: Double {
      var time = timespec()
      unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return MonotonicClock.now - time.seconds
    }

    /// The check of all operations.
    package var check: CancellationCheck {
      guard limit != nil else { return .never }
      return CancellationCheck { [self] in
        MonotonicClock.now < end.withLock { $0 } ? nil : .deadlineExceeded
      }
    }
  }
#endif
