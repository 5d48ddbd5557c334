//===--- Backoff.swift - when not to share a job --------------------------===//
//
// Where other programs want the processors, a worker may lose its processor in the middle of a chunk,
// for milliseconds, and the thread that waits for this chunk loses more than sharing can gain. A wait
// much longer than the submitter's own share of the work is the sign of it: then jobs run on their
// callers alone for a while; for longer each time that sharing fails again at once.
//
// Contract  Decides who works, never what the result is.
// Checked   Tests/MartletWorkersTests/BackoffTests.swift
//===----------------------------------------------------------------------===//

/// Decides whether a job is worth sharing, from how the last ones went.
struct Backoff {
  /// A wait counts as failure if it is this much longer than the work before it.
  static let allowance = Duration.microseconds(100)
  /// The first pause after a failure, and the longest.
  static let pauses = Duration.milliseconds(1)...Duration.milliseconds(32)

  private let isOff: Bool
  private var pause = Backoff.pauses.lowerBound
  /// When jobs may be shared again.
  private var end: Duration?

  /// - Parameter isOff: Whether to share whatever happens.
  init(isOff: Bool = false) { self.isOff = isOff }

  func allowsSharing(at now: Duration) -> Bool {
    end.map { now >= $0 } ?? true
  }

  /// Records a job whose submitter worked, then waited for the workers.
  mutating func record(worked: Duration, waited: Duration, now: Duration) {
    guard !isOff, waited > worked + Backoff.allowance else { return }
    let isRepeated = end.map { now - $0 < pause } ?? false
    pause = isRepeated ? min(pause * 2, Backoff.pauses.upperBound) : Backoff.pauses.lowerBound
    end = now + pause
  }
}
