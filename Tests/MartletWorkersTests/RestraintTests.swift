import Testing

@testable import MartletWorkers

@Suite struct RestraintTests {
  private let start = ContinuousClock.now

  /// When a restraint that failed at the given times, in milliseconds, next allows help.
  private func end(_ failures: [Double]) -> Double {
    var restraint = Restraint()
    for time in failures {
      restraint.note(
        worked: .microseconds(20), waited: .milliseconds(3), now: start + .milliseconds(time))
    }
    var time = failures.last ?? 0
    while !restraint.allowsHelp(at: start + .milliseconds(time)) { time += 0.5 }
    return time
  }

  @Test func allowsHelpAtFirst() {
    #expect(end([]) == 0)
  }

  @Test func pausesForAMillisecondAfterAFailure() {
    #expect(end([10]) == 11)
  }

  @Test func doublesThePauseWhereHelpFailsAgainAtOnce() {
    #expect(end([10, 11.5]) == 13.5)
    #expect(end([10, 11.5, 14]) == 18)
  }

  @Test func pausesNoLongerThan32Milliseconds() {
    var failures = [0.0]
    for pause in [1.0, 2, 4, 8, 16, 32, 32] { failures.append((failures.last ?? 0) + pause) }
    #expect(end(failures) - (failures.last ?? 0) == 32)
  }

  @Test func forgetsFailuresOfLongAgo() {
    #expect(end([10, 11.5, 30]) == 31)
  }

  @Test(arguments: [
    (worked: 20, waited: 119, isFailure: false), (worked: 20, waited: 121, isFailure: true),
    (worked: 5_000, waited: 5_000, isFailure: false),
    (worked: 5_000, waited: 5_200, isFailure: true),
  ])
  func measuresWaitsByTheWorkBeforeThem(worked: Int, waited: Int, isFailure: Bool) {
    var restraint = Restraint()
    restraint.note(worked: .microseconds(worked), waited: .microseconds(waited), now: start)
    #expect(restraint.allowsHelp(at: start) == !isFailure)
  }

  @Test func asksForHelpWhateverHappensIfSwitchedOff() {
    var restraint = Restraint(isOff: true)
    restraint.note(worked: .zero, waited: .seconds(1), now: start)
    #expect(restraint.allowsHelp(at: start))
  }
}
