import MartletSystem
import Testing

@Suite struct MonotonicClockTests {
  @Test func neverGoesBack() {
    var last = MonotonicClock.now
    for _ in 0..<1000 {
      let now = MonotonicClock.now
      #expect(now >= last)
      last = now
    }
  }

  @Test func measuresSleepingTime() {
    let start = MonotonicClock.now
    usleep(2000)
    #expect((2_000_000..<2_000_000_000).contains((MonotonicClock.now - start).nanoseconds))
  }

  @Test func truncatesToNanoseconds() {
    #expect(
      Duration(secondsComponent: 3, attosecondsComponent: 1_999_999_999).nanoseconds
        == 3_000_000_001)
  }
}
