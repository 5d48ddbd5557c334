import MartletBase
import MartletSystem
import Testing

@Suite struct LockTests {
  /// A number changed by several threads. Unchecked because a lock guards it.
  private final class Counter: @unchecked Sendable {
    var value = 0
  }

  @Test func mutexPreventsConcurrentAccess() {
    let counter = Counter()
    let lock = Lock.mutex()
    Workers.pool(count: 4).perform(64) { _ in
      for _ in 0..<1000 { lock.withLock { counter.value += 1 } }
    }
    #expect(counter.value == 64_000)
  }

  @Test(arguments: [Lock.none, .mutex()])
  func returnsTheResultOfTheBody(_ lock: Lock) {
    #expect(lock.withLock { 7 } == 7)
  }
}
