//===--- Backoff.swift - pauses of parallel execution ---------------------===//
//
// If other programs use the processors, a worker may be descheduled for milliseconds in the middle
// of a chunk. The thread that waits for this chunk then loses more than parallel execution gains.
// The sign is a wait that is much longer than the submitter's own work. Jobs then run on their
// callers alone for a pause, which gets longer each time that sharing fails again at once.
//
// Contract  Affects which threads work, never the result.
//===----------------------------------------------------------------------===//

/// Decides from the last jobs whether to share a job with the workers. All times are in seconds.
struct Backoff {
  /// A wait is a failure if it exceeds the submitter's own work by this duration.
  static let allowance = 100e-6
  /// The shortest and the longest pause after a failure: a millisecond and 32, as powers of two.
  static let pauses = 0x1p-10...0x1p-5

  private let isOff: Bool
  private var pause = Backoff.pauses.lowerBound
  /// The end of the current pause.
  private var end: Double?

  /// - Parameter isOff: Whether jobs are always shared.
  init(isOff: Bool = false) { self.isOff = isOff }

  func allowsSharing(at now: Double) -> Bool {
    end.map { now >= $0 } ?? true
  }

  /// Records how long a job's submitter worked, and then waited for the workers.
  mutating func record(worked: Double, waited: Double, now: Double) {
    guard !isOff, waited > worked + Backoff.allowance else { return }
    let isRepeated = end.map { now - $0 < pause } ?? false
    pause = isRepeated ? min(pause * 2, Backoff.pauses.upperBound) : Backoff.pauses.lowerBound
    end = now + pause
  }
}
