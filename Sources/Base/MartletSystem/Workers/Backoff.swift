//===--- Backoff.swift - pauses of parallel execution ---------------------===//
//
// If other programs use the processors, a worker may be descheduled for milliseconds in the middle
// of a chunk. The thread that waits for this chunk then loses more than parallel execution gains.
// The sign is a wait that is much longer than the submitter's own work. Jobs then run on their
// callers alone for a pause, which gets longer each time that sharing fails again at once.
//
// Contract  Affects which threads work, never the result.
//===----------------------------------------------------------------------===//

/// Decides from the last jobs whether to share a job with the workers.
struct Backoff {
  /// A wait is a failure if it exceeds the submitter's own work by this duration.
  static let allowance = Duration.microseconds(100)
  /// The shortest and the longest pause after a failure.
  static let pauses = Duration.milliseconds(1)...Duration.milliseconds(32)

  private let isOff: Bool
  private var pause = Backoff.pauses.lowerBound
  /// The end of the current pause.
  private var end: Duration?

  /// - Parameter isOff: Whether jobs are always shared.
  init(isOff: Bool = false) { self.isOff = isOff }

  func allowsSharing(at now: Duration) -> Bool {
    end.map { now >= $0 } ?? true
  }

  /// Records how long a job's submitter worked, and then waited for the workers.
  mutating func record(worked: Duration, waited: Duration, now: Duration) {
    guard !isOff, waited > worked + Backoff.allowance else { return }
    let isRepeated = end.map { now - $0 < pause } ?? false
    pause = isRepeated ? min(pause * 2, Backoff.pauses.upperBound) : Backoff.pauses.lowerBound
    end = now + pause
  }
}
