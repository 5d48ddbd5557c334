import MartletBase
import Testing

@testable import MartletSystem

@Suite struct DeadlineTests {
  @Test func operationsShareTheLimit() async throws {
    let deadline = Deadline(.milliseconds(20))
    #expect(deadline.check.started().interruption == nil)
    try await Task.sleep(for: .milliseconds(40))
    #expect(deadline.check.started().interruption == .deadlineExceeded)
    deadline.begin()
    #expect(deadline.check.interruption == nil)
  }

  @Test func waitingDoesNotCount() {
    let deadline = Deadline(.seconds(1))
    let start = MonotonicClock.now
    deadline.pausing { while MonotonicClock.now - start < .milliseconds(1100) {} }
    #expect(deadline.check.interruption == nil)
  }

  @Test func withoutALimitNothingStops() {
    let deadline = Deadline(nil)
    deadline.begin()
    #expect(deadline.pausing { 7 } == 7)
    #expect(deadline.check.interruption == nil)
    #expect(Deadline(.zero).check.interruption == .deadlineExceeded)
  }
}
