import Foundation
import MartletBase
import MartletTestSupport
import Testing

@Suite struct DeadlineTests {
  @Test func operationsShareTheLimit() async throws {
    let deadline = Deadline(seconds: 0.02)
    #expect(deadline.check.started().interruption == nil)
    try await Task.sleep(for: .milliseconds(40))
    #expect(deadline.check.started().interruption == .deadlineExceeded)
    deadline.begin()
    #expect(deadline.check.interruption == nil)
  }

  @Test func waitingDoesNotCountButWorkDoes() {
    let deadline = Deadline(seconds: 0.5)
    deadline.pausing { _ = usleep(600_000) }
    #expect(deadline.check.interruption == nil)
    let start = ThreadTime.seconds
    deadline.pausing { while ThreadTime.seconds - start < 0.5 {} }
    #expect(deadline.check.interruption == .deadlineExceeded)
  }

  @Test func withoutALimitNothingStops() {
    let deadline = Deadline(seconds: nil)
    deadline.begin()
    #expect(deadline.pausing { 7 } == 7)
    #expect(deadline.check.interruption == nil)
    #expect(Deadline(seconds: 0).check.interruption == .deadlineExceeded)
  }
}
