import MartletBase
import MartletCLibrary
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
    #expect((0.002..<2).contains(MonotonicClock.now - start))
  }
}
