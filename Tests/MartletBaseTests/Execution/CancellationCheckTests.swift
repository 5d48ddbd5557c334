import MartletBase
import Testing

@Suite struct CancellationCheckTests {
  @Test func neverStops() {
    #expect(CancellationCheck.never.started().interruption == nil)
  }

  @Test func startsAgainForEachOperation() {
    let count = Mutex(0)
    let check = CancellationCheck(startingWith: {
      let number = count.withLock { count in
        count += 1
        return count
      }
      return CancellationCheck { number > 1 ? .cancelled : nil }
    })
    #expect(check.started().interruption == nil)
    #expect(check.started().interruption == .cancelled)
  }

  @Test func combinedChecksStopIfEitherStops() {
    let stops = CancellationCheck { .deadlineExceeded }
    #expect(stops.or(.never).started().interruption == .deadlineExceeded)
    #expect(CancellationCheck.never.or(stops).started().interruption == .deadlineExceeded)
    #expect(CancellationCheck.never.or(.never).started().interruption == nil)
  }
}
