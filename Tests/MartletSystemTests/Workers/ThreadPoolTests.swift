import Dispatch
import MartletBase
import Testing

@testable import MartletSystem

@Suite struct ThreadPoolTests {
  /// Counts the runs of each of `chunks` chunks.
  private func tally(_ workers: Workers, chunks: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: chunks)
    counts.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let buffer = buffer
      workers.perform(chunks) { buffer[$0] += 1 }
    }
    return counts
  }

  @Test(arguments: [1, 2, 4, 8], [0, 1, 2, 3, 7, 64, 1000])
  func runsEachChunkOnce(count: Int, chunks: Int) {
    let workers = Workers.pool(count: count)
    #expect(workers.count == count)
    #expect(tally(workers, chunks: chunks) == [Int](repeating: 1, count: chunks))
  }

  @Test(arguments: [0, 1, 2, 7, 1000])
  func queuesRunEachChunkOnce(chunks: Int) {
    #expect(tally(.queues(count: 2), chunks: chunks) == [Int](repeating: 1, count: chunks))
  }

  /// Returns once `count` chunks have arrived; `false` after ten seconds, as chunks that wait for each
  /// other never end if no second thread runs.
  private static func waitUntilAllArrived(_ arrived: borrowing Mutex<Int>, count: Int) -> Bool {
    let deadline = MonotonicClock.now + 10
    while arrived.withLock({ $0 }) < count {
      guard MonotonicClock.now < deadline else { return false }
    }
    return true
  }

  @Test func losesNoWakeUpIn100_000ShortRuns() {
    let workers = Workers.pool(count: 3)
    let total = Mutex(0)
    var expected = 0
    var wrongRuns: [Int] = []
    for run in 0..<100_000 {
      let chunks = run % 7
      workers.perform(chunks) { _ in total.withLock { $0 += 1 } }
      expected += chunks
      if total.withLock({ $0 }) != expected { wrongRuns.append(run) }
    }
    #expect(wrongRuns.isEmpty)
  }

  @Test func wakesSleepersAfterEachPause() {
    let workers = Workers.pool(count: 2, backoff: Backoff(isOff: true))
    let done = Mutex(0)
    for run in 0..<200 {
      // Longer than workers spin, so that each run finds them asleep or falling asleep.
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2))
      // Two chunks that wait for each other end only if a second thread runs.
      let arrived = Mutex(0)
      workers.perform(2) { _ in
        arrived.withLock { $0 += 1 }
        guard ThreadPoolTests.waitUntilAllArrived(arrived, count: 2) else { return }
        done.withLock { $0 += 1 }
      }
      guard done.withLock({ $0 }) == 2 * (run + 1) else { break }
    }
    #expect(done.withLock { $0 } == 400)
  }

  @Test func submitterSleepsUntilASlowWorkerIsDone() {
    let workers = Workers.pool(count: 2, backoff: Backoff(isOff: true))
    let slow = Mutex(0)
    let arrived = Mutex(0)
    for run in 0..<20 {
      arrived.withLock { $0 = 0 }
      workers.perform(2) { _ in
        let order = arrived.increase()
        guard ThreadPoolTests.waitUntilAllArrived(arrived, count: 2), order == 2 else { return }
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2))
        slow.withLock { $0 += 1 }
      }
      guard slow.withLock({ $0 }) == run + 1 else { break }
    }
    #expect(slow.withLock { $0 } == 20)
  }

  @Test func runsNestedCallsSerially() {
    let workers = Workers.pool(count: 4)
    let total = Mutex(0)
    workers.perform(8) { _ in
      workers.perform(5) { _ in total.withLock { $0 += 1 } }
    }
    #expect(total.withLock { $0 } == 40)
  }

  @Test func supportsConcurrentCallers() {
    let workers = Workers.pool(count: 3)
    let total = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<2_000 {
        workers.perform(3) { _ in total.withLock { $0 += 1 } }
      }
    }
    #expect(total.withLock { $0 } == 4 * 2_000 * 3)
  }

  @Test func createsAndReleasesManyPools() {
    for _ in 0..<300 {
      #expect(tally(Workers.pool(count: 3), chunks: 6) == [Int](repeating: 1, count: 6))
    }
  }

  @Test func memoryIsVisibleBetweenCallerAndBody() {
    let workers = Workers.pool(count: 4)
    var values = [Int](repeating: 0, count: 16)
    for round in 1...5_000 {
      values.withUnsafeMutableBufferPointer { buffer in
        nonisolated(unsafe) let buffer = buffer
        workers.perform(16) { buffer[$0] += $0 &* round }
        buffer[0] += 1
      }
    }
    // Σ round = 5000 · 5001 / 2, once per unit of the index.
    #expect(values == (0..<16).map { $0 * 12_502_500 + ($0 == 0 ? 5_000 : 0) })
  }
}
