//===--- ThreadPool.swift - threads that share the chunks of one job ------===//
//
// One job at a time, taken chunk by chunk. The thread that submits a job holds the lock and works at
// it too; the pool's workers join while chunks are left. The submitter waits for chunks, never for
// workers: a worker that sleeps through a job costs nothing. The first chunk is the submitter's.
//
// Protocol  `remaining` is the range of chunks that nobody has taken. A successful compare-and-swap
//           that shortens it owns one chunk of the job that is current at that moment, whichever that
//           is: a job is replaced only when all its chunks are done, so the job that the owner of the
//           swap reads next is that one, whole. No epoch is needed.
//           `unfinished` counts chunks that are not done. Its flag says that the submitter sleeps;
//           count and flag change in one atomic, so either the last to finish sees the flag, or the
//           submitter sees zero.
//           A worker announces its sleep in `sleepers`, then looks once more for work; a submitter
//           shows work, then looks for sleepers. All four are sequentially consistent, so one of
//           the two sees the other, and no wake-up is lost.
// Cost      A job that finds its workers awake: a third of a microsecond; one and a third between
//           processors that share no cache. Workers that see no work for some hundreds of
//           microseconds sleep; to wake them takes the system about a hundred. Where other programs
//           want the processors, a waiting thread yields, and see `Backoff`: with two busy programs
//           beside it, on two processors, a pool of two takes as long as one thread does; without
//           the two it would take up to five times as long.
// Checked   Tests/MartletWorkersTests/ThreadPoolTests.swift, and by hand with
//           `swift test --sanitize thread --filter MartletWorkersTests`
//===----------------------------------------------------------------------===//

import Dispatch
import MartletSystem
import Synchronization

/// What is to be done with each chunk. A struct, since a pointer to a bare closure would take a thunk,
/// and an allocation, to make one.
struct Job {
  let body: (Int) -> Void
}

/// The state that the threads of a pool share.
///
/// Unchecked because of `job`, which only the holder of the lock writes, and only while no chunk of a
/// job is left or running, and of `backoff`, which is the lock holder's alone. Safe, though `job` is a
/// pointer: it is valid until `run` returns, which waits for all chunks, and nobody reads it later.
@safe final class ThreadPool: @unchecked Sendable {
  /// How often a thread looks for work before it sleeps: hundreds of microseconds, so that an
  /// operator that one thread computes alone puts no worker to sleep.
  private static let spinLimit = 300_000
  /// After so many looks, a power of two, a thread yields its processor: the very thread that it waits
  /// for may need it.
  private static let yieldInterval = 1 << 10
  /// Set in `unfinished` while the submitter sleeps.
  private static let submitterSleeps = 1 << 62

  // Gaps of two cache lines keep apart what the submitter alone uses, what idle workers look at, what
  // changes at the end of a chunk, and what hardly ever changes: a write to a line that another thread
  // looks at makes both wait.
  private let isLocked = Atomic(false)
  private var backoff: Backoff
  private let gap1 = InlineArray<16, Int>(repeating: 0)

  private var job: UnsafePointer<Job>?
  private let remaining = RemainingChunks()
  private let isEnding = Atomic(false)
  private let gap2 = InlineArray<16, Int>(repeating: 0)

  private let unfinished = Atomic(0)
  private let gap3 = InlineArray<16, Int>(repeating: 0)

  private let sleepers = Atomic(0)
  private let workAppeared = DispatchSemaphore(value: 0)
  private let jobFinished = DispatchSemaphore(value: 0)

  init(backoff: Backoff) { self.backoff = backoff }

  /// Runs all chunks and returns when they have ended; `false`, with nothing run, if the pool works for
  /// another caller, who may be this very thread, or backs off at present, or there are too many
  /// chunks.
  ///
  /// - Precondition: there are at least two chunks.
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
    var looks = 0
    while !isEnding.load(ordering: .relaxed) {
      if runOneChunk() {
        looks = 0
      } else if looks < ThreadPool.spinLimit {
        looks += 1
        if looks % ThreadPool.yieldInterval == 0 { sched_yield() }
      } else {
        sleep()
        looks = 0
      }
    }
  }

  /// Ends all workers; a chunk that one of them runs ends first.
  func end() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    wakeSleepers(atMost: Int.max)
  }

  // MARK: Chunks

  /// Takes a chunk, the last of those that remain, and runs it; `false` if there is none.
  private func runOneChunk() -> Bool {
    guard let index = remaining.takeLast() else { return false }
    call(index)
    let (before, _) = unfinished.subtract(1, ordering: .acquiringAndReleasing)
    if before == 1 | ThreadPool.submitterSleeps { jobFinished.signal() }
    return true
  }

  /// Calls the job. A function of its own, so that no reference to the closure outlives the call:
  /// when the chunk is reported done, the submitter may leave.
  @inline(never)
  private func call(_ index: Int) {
    unsafe job?.pointee.body(index)
  }

  /// Waits for the workers' chunks of a job that was submitted at `start`.
  private func waitUntilFinished(since start: Duration) {
    for look in 1...ThreadPool.spinLimit {
      if unfinished.load(ordering: .acquiring) == 0 { return }
      if look % ThreadPool.yieldInterval == 0 { sched_yield() }
    }
    let spinEnd = MonotonicClock.now
    let (before, _) = unfinished.bitwiseOr(
      ThreadPool.submitterSleeps, ordering: .acquiringAndReleasing)
    if before != 0 { jobFinished.wait() }
    // The last worker's subtraction ordered its chunk before this.
    _ = unfinished.load(ordering: .acquiring)
    let now = MonotonicClock.now
    backoff.record(worked: spinEnd - start, waited: now - spinEnd, now: now)
  }

  // MARK: Sleep

  private func sleep() {
    sleepers.add(1, ordering: .sequentiallyConsistent)
    let mustWake = !remaining.isEmpty || isEnding.load(ordering: .sequentiallyConsistent)
    // A worker that somebody counted out must take the signal that was sent for it.
    if mustWake && takeSleepers(atMost: 1) == 1 { return }
    workAppeared.wait()
  }

  private func wakeSleepers(atMost limit: Int) {
    for _ in 0..<takeSleepers(atMost: limit) { workAppeared.signal() }
  }

  /// Counts out up to `limit` sleepers and says how many.
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
