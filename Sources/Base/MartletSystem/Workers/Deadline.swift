//===--- Deadline.swift - a time limit that begins again ------------------===//
//
// Decoding an image and running networks on it share one time limit, which begins again with the next
// image. `CancellationCheck.timeLimit` instead begins again with each of these operations.
//
// Contract  Any thread may ask the check. One thread at a time begins and pauses.
//===----------------------------------------------------------------------===//

package import MartletBase
import Synchronization

/// A time limit for several operations together.
package final class Deadline: Sendable {
  private let limit: Duration?
  /// The end in nanoseconds of the monotonic clock.
  private let end: Atomic<Int64>

  /// A limit that begins now; none if it is `nil`.
  package init(_ limit: Duration?) {
    self.limit = limit
    end = Atomic(0)
    begin()
  }

  /// Begins the time again.
  package func begin() {
    guard let limit else { return }
    end.store((MonotonicClock.now + limit).nanoseconds, ordering: .relaxed)
  }

  /// Calls `body`, for example to read from a pipe, and does not count the time that it waits.
  package func pausing<Result>(_ body: () -> Result) -> Result {
    guard limit != nil else { return body() }
    let start = Deadline.idleTime
    defer { end.add(Deadline.idleTime - start, ordering: .relaxed) }
    return body()
  }

  /// The nanoseconds in which the calling thread has not run.
  private static var idleTime: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    let ran = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    return MonotonicClock.now.nanoseconds - ran
  }

  /// The check of all operations.
  package var check: CancellationCheck {
    guard limit != nil else { return .never }
    return CancellationCheck { [self] in
      MonotonicClock.now.nanoseconds < end.load(ordering: .relaxed) ? nil : .deadlineExceeded
    }
  }
}
