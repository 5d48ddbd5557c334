//===--- Restraint.swift - when not to ask for help -----------------------===//
//
// Where other programs want the processors, a helper may be put aside in the midst of a chunk, for
// milliseconds, and whoever waits for that chunk loses more than help can gain. A wait much longer
// than the publisher's own share of the work is the sign of it: then the pool's jobs run on their
// callers alone for a while; a longer one each time that help fails again at once.
//
// Contract  Decides who works, never what comes out.
// Checked   Tests/MartletWorkersTests/RestraintTests.swift
//===----------------------------------------------------------------------===//

/// Decides whether a job is worth sharing, from how the last ones went.
struct Restraint {
  /// A wait counts as failure if it is this much longer than the work before it.
  static let allowance = Duration.microseconds(100)
  /// The first pause after a failure, and the longest.
  static let pauses = Duration.milliseconds(1)...Duration.milliseconds(32)

  private let isOff: Bool
  private var pause = Restraint.pauses.lowerBound
  /// When help may be asked for again.
  private var end: ContinuousClock.Instant?

  /// - Parameter isOff: Whether to ask for help whatever happens.
  init(isOff: Bool = false) { self.isOff = isOff }

  func allowsHelp(at now: ContinuousClock.Instant) -> Bool {
    end.map { now >= $0 } ?? true
  }

  /// Takes note of a job whose publisher worked, then waited for its helpers.
  mutating func note(worked: Duration, waited: Duration, now: ContinuousClock.Instant) {
    guard !isOff, waited > worked + Restraint.allowance else { return }
    let isRepeated = end.map { now - $0 < pause } ?? false
    pause = isRepeated ? min(pause * 2, Restraint.pauses.upperBound) : Restraint.pauses.lowerBound
    end = now + pause
  }
}
