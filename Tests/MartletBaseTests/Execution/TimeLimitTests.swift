import MartletBase
import Testing

@Suite struct TimeLimitTests {
  @Test func timeLimitRestartsForEachOperation() async throws {
    let check = CancellationCheck.timeLimit(seconds: 0.02)
    let first = check.started()
    #expect(first.interruption == nil)
    try await Task.sleep(for: .milliseconds(40))
    #expect(first.interruption == .deadlineExceeded)
    #expect(check.started().interruption == nil)
  }

  @Test func zeroTimeLimitStopsImmediately() {
    #expect(CancellationCheck.timeLimit(seconds: 0).started().interruption == .deadlineExceeded)
  }
}
