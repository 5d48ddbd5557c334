//===--- ThreadPool.swift - thread pool for one job -----------------------===//
//
// One job at a time, taken chunk by chunk. The thread that submits a job holds the lock and also
// works on it; the pool's workers join while chunks are left. The submitter waits for chunks, never
// for workers: a worker that sleeps during a job costs nothing. The first chunk is the submitter's.
//
// Protocol  `remaining` is the range of unclaimed chunks. A successful compare-and-swap that
//           shortens it owns one chunk of the job that is current at that moment. A job is replaced
//           only when all its chunks are done, so the job that the owner of the swap reads next is
//           that job, and complete. No epoch is needed. `unfinished` counts chunks that are not
//           done, and has a flag for a sleeping submitter. Count and flag change in one atomic, so
//           either the last thread to finish sees the flag, or the submitter sees zero. A worker
//           announces its sleep in `sleepers`, then checks again for work. A submitter publishes
//           work, then looks for sleepers. All four are sequentially consistent, so one of the two
//           sees the other, and no wake-up is lost.
// Cost      A job whose workers are awake: a third of a microsecond; one and a third between
//           processors without a shared cache. Workers without work sleep after some hundreds of
//           microseconds; waking them takes about a hundred. If other programs use the processors,
//           a waiting thread yields, and `Backoff` applies: beside two busy programs on two
//           processors, a pool of two is as slow as one thread; without yielding and backoff it
//           would be up to five times slower.
//===----------------------------------------------------------------------===//

import Dispatch
import MartletBase
import MartletCLibrary
import Synchronization

/// The body of each chunk. A struct, because a pointer to a bare closure needs a thunk and an
/// allocation.
struct Job {
  let body: (Int) -> Void
}

/// The shared state of a pool's threads.
///
/// `@unchecked` because of `job`, which only the holder of the lock writes, and only while no chunk
/// of a job is left or running, and of `backoff`, which only the lock's holder uses. It is safe
/// although `job` is a pointer: it is valid until `run` returns, `run` waits for all chunks, and
/// nothing reads it later.
@available(macOS 15, iOS 18, *)
@safe final class ThreadPool: @unchecked Sendable {
  /// The number of checks for work before a thread sleeps: hundreds of microseconds, so that
  /// workers stay awake during an operator that one thread computes alone.
  ///
  /// Measured with two threads on two processors. A detector alone takes 1.8 times as long with 0 or
  /// 1,000 checks, 7 % longer with 10,000, and the same time from 30,000 on. Eight detectors at the same
  /// time take the same time and processor time with 0 to 300,000, because waiting threads yield.
  private static let spinLimit = 300_000
  /// After so many checks, a power of two, a thread yields its processor: the thread that it waits
  /// for may need it.
  private static let yieldInterval = 1 << 10
  /// The flag in `unfinished` for a sleeping submitter.
  private static let submitterSleeps = 1 << 62

  // Gaps of two cache lines separate the submitter's own state, the state that idle workers poll,
  // the state that changes at the end of a chunk, and the rarely changed state. A write to a line
  // that another thread reads delays both.
  private let isLocked = Atomic(false)
  private var backoff: Backoff
  private let gap1 = SIMD16<Int>.zero

  private var job: UnsafePointer<Job>?
  private let remaining = RemainingChunks()
  private let isEnding = Atomic(false)
  private let gap2 = SIMD16<Int>.zero

  private let unfinished = Atomic(0)
  private let gap3 = SIMD16<Int>.zero

  private let sleepers = Atomic(0)
  private let workAppeared = DispatchSemaphore(value: 0)
  private let jobFinished = DispatchSemaphore(value: 0)

  init(backoff: Backoff) { self.backoff = backoff }

  /// Runs all chunks and returns when they have ended. Returns `false`, without running any, if the
  /// pool works for another caller (possibly this thread), if it backs off, or if there are too
  /// many chunks.
  ///
  /// - Precondition: There are at least two chunks.
  func run(_ chunks: Int, _ newJob: UnsafePointer<Job>) -> Bool {
    guard chunks <= RemainingChunks.limit else { return false }
    let (isMine, _) = isLocked.compareExchange(
      expected: false, desired: true, ordering: .acquiring)
    guard isMine else { return false }
    defer { isLocked.store(false, ordering: .releasing) }
    let start = MonotonicClock.now
    guard backoff.allowsSharing(at: start) else { return false }
    unsafe job = newJob
    unfinished.store(chunks, ordering: .relaxed)
    remaining.put(1..<chunks)
    wakeSleepers(atMost: chunks - 1)
    call(0)
    var done = 1
    while let index = remaining.takeFirst() {
      call(index)
      done += 1
    }
    let (before, _) = unfinished.subtract(done, ordering: .acquiringAndReleasing)
    if before > done { waitUntilFinished(since: start) }
    return true
  }

  /// The loop of a worker's thread, until the pool ends.
  func runWorker() {
    var spins = 0
    while !isEnding.load(ordering: .relaxed) {
      if runOneChunk() {
        spins = 0
      } else if spins < ThreadPool.spinLimit {
        spins += 1
        if spins % ThreadPool.yieldInterval == 0 { sched_yield() }
      } else {
        sleep()
        spins = 0
      }
    }
  }

  /// Ends all workers after their current chunks.
  func end() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    wakeSleepers(atMost: Int.max)
  }

  // MARK: Chunks

  /// Takes the last remaining chunk and runs it; returns `false` if there is none.
  private func runOneChunk() -> Bool {
    guard let index = remaining.takeLast() else { return false }
    call(index)
    let (before, _) = unfinished.subtract(1, ordering: .acquiringAndReleasing)
    if before == 1 | ThreadPool.submitterSleeps { jobFinished.signal() }
    return true
  }

  /// Calls the job. A separate function, so that no reference to the closure outlives the call:
  /// once the chunk is reported done, the submitter may return.
  @inline(never)
  private func call(_ index: Int) {
    unsafe job?.pointee.body(index)
  }

  /// Waits for the workers' chunks of a job submitted at `start`.
  private func waitUntilFinished(since start: Double) {
    for spin in 1...ThreadPool.spinLimit {
      if unfinished.load(ordering: .acquiring) == 0 { return }
      if spin % ThreadPool.yieldInterval == 0 { sched_yield() }
    }
    let spinEnd = MonotonicClock.now
    let (before, _) = unfinished.bitwiseOr(
      ThreadPool.submitterSleeps, ordering: .acquiringAndReleasing)
    if before != 0 { jobFinished.wait() }
    // The last worker's subtraction makes its chunk's writes visible here.
    _ = unfinished.load(ordering: .acquiring)
    let now = MonotonicClock.now
    backoff.record(worked: spinEnd - start, waited: now - spinEnd, now: now)
  }

  // MARK: Sleep

  private func sleep() {
    sleepers.add(1, ordering: .sequentiallyConsistent)
    let mustWake = !remaining.isEmpty || isEnding.load(ordering: .sequentiallyConsistent)
    // A worker that was already removed from `sleepers` must consume the signal sent for it.
    if mustWake && takeSleepers(atMost: 1) == 1 { return }
    workAppeared.wait()
  }

  private func wakeSleepers(atMost limit: Int) {
    for _ in 0..<takeSleepers(atMost: limit) { workAppeared.signal() }
  }

  /// Removes up to `limit` sleepers from the count and returns how many.
  private func takeSleepers(atMost limit: Int) -> Int {
    var count = sleepers.load(ordering: .sequentiallyConsistent)
    while count > 0 {
      let taken = min(count, limit)
      let (isTaken, found) = sleepers.weakCompareExchange(
        expected: count, desired: count - taken, successOrdering: .sequentiallyConsistent,
        failureOrdering: .sequentiallyConsistent)
      if isTaken { return taken }
      count = found
    }
    return 0
  }
}
