import Foundation
import MartletBase
import MartletTestSupport
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

  @Test func waitingDoesNotCountButWorkDoes() {
    let deadline = Deadline(.milliseconds(500))
    deadline.pausing { _ = usleep(600_000) }
    #expect(deadline.check.interruption == nil)
    let start = ThreadTime.seconds
    deadline.pausing { while ThreadTime.seconds - start < 0.5 {} }
    #expect(deadline.check.interruption == .deadlineExceeded)
  }

  @Test func withoutALimitNothingStops() {
    let deadline = Deadline(nil)
    deadline.begin()
    #expect(deadline.pausing { 7 } == 7)
    #expect(deadline.check.interruption == nil)
    #expect(Deadline(.zero).check.interruption == .deadlineExceeded)
  }
}
