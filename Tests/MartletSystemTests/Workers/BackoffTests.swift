import Testing

@testable import MartletSystem

@Suite struct BackoffTests {
  private let start = 1024.0
  private let millisecond = Backoff.pauses.lowerBound

  /// The time at which a pool next shares jobs after failures at these times, in milliseconds.
  private func end(_ failures: [Double]) -> Double {
    var backoff = Backoff()
    for time in failures {
      backoff.record(worked: 20e-6, waited: 3e-3, now: start + time * millisecond)
    }
    var time = failures.last ?? 0
    while !backoff.allowsSharing(at: start + time * millisecond) { time += 0.5 }
    return time
  }

  @Test func allowsSharingAtFirst() {
    #expect(end([]) == 0)
  }

  @Test func pausesForAMillisecondAfterAFailure() {
    #expect(end([10]) == 11)
  }

  @Test func doublesThePauseAfterRepeatedFailures() {
    #expect(end([10, 11.5]) == 13.5)
    #expect(end([10, 11.5, 14]) == 18)
  }

  @Test func pausesAtMost32Milliseconds() {
    var failures = [0.0]
    for pause in [1.0, 2, 4, 8, 16, 32, 32] { failures.append((failures.last ?? 0) + pause) }
    #expect(end(failures) - (failures.last ?? 0) == 32)
  }

  @Test func forgetsOldFailures() {
    #expect(end([10, 11.5, 30]) == 31)
  }

  @Test(arguments: [
    (worked: 20, waited: 119, isFailure: false), (worked: 20, waited: 121, isFailure: true),
    (worked: 5_000, waited: 5_000, isFailure: false),
    (worked: 5_000, waited: 5_200, isFailure: true),
  ])
  func comparesWaitsWithThePrecedingWork(worked: Double, waited: Double, isFailure: Bool) {
    var backoff = Backoff()
    backoff.record(worked: worked * 1e-6, waited: waited * 1e-6, now: start)
    #expect(backoff.allowsSharing(at: start) == !isFailure)
  }

  @Test func alwaysSharesIfSwitchedOff() {
    var backoff = Backoff(isOff: true)
    backoff.record(worked: 0, waited: 1, now: start)
    #expect(backoff.allowsSharing(at: start))
  }
}
