//===--- Crew.swift - what a pool's threads share -------------------------===//
//
// One job at a time, taken chunk by chunk. Whoever holds the lock publishes a job and works at it
// too; helpers join while chunks are left. The publisher waits for chunks, never for helpers: a
// helper that sleeps through a job costs nothing.
//
// Protocol  `untaken` counts down from the number of chunks. A successful compare-and-swap from n
//           to n - 1 owns one chunk of the job that is current at that moment, whichever that is:
//           a job is replaced only when all its chunks are done, so what the swap's owner reads
//           next is that job, whole. No epoch is needed.
//           `unfinished` counts chunks not done. Its flag says that the publisher sleeps; count
//           and flag change in one atomic, so the last to finish sees the flag, or the publisher
//           sees zero.
//           A helper announces its sleep in `sleepers`, then looks once more for work; a publisher
//           shows work, then looks for sleepers. All four are sequentially consistent, so one of
//           the two sees the other, and no wake-up is lost.
// Cost      A job that finds its helpers awake: about one microsecond. Helpers that see no work for
//           some tens of microseconds sleep; waking them takes the system about a hundred.
// Checked   Tests/MartletWorkersTests/WorkerPoolTests.swift, and by hand with
//           `swift test --sanitize thread --filter MartletWorkersTests`
//===----------------------------------------------------------------------===//

import Dispatch
import Synchronization

/// What is to be done with each chunk. A struct, since a pointer to a bare closure would take a thunk,
/// and an allocation, to make one.
struct Job {
  let body: (Int) -> Void
}

/// The state that the threads of a pool share.
///
/// Unchecked because of `job` and `chunks`, which only the lock's holder writes, and only while no
/// chunk of a job is left or running.
final class Crew: @unchecked Sendable {
  /// How often a thread looks for work before it sleeps: tens of microseconds.
  private static let patience = 30_000
  /// Set in `unfinished` while the publisher sleeps.
  private static let publisherSleeps = 1 << 62

  private let isLocked = Atomic(false)
  private var job: UnsafePointer<Job>?
  private var chunks = 0
  private let untaken = Atomic(0)
  private let unfinished = Atomic(0)
  private let publisherWakes = DispatchSemaphore(value: 0)

  private let isDismissed = Atomic(false)
  private let sleepers = Atomic(0)
  private let helperWakes = DispatchSemaphore(value: 0)

  /// Runs all chunks and returns when they have ended; `false`, with nothing run, if the crew is at
  /// work for somebody else, who may be this very thread.
  func run(_ chunks: Int, _ newJob: UnsafePointer<Job>) -> Bool {
    let (isMine, _) = isLocked.compareExchange(
      expected: false, desired: true, ordering: .acquiring)
    guard isMine else { return false }
    defer { isLocked.store(false, ordering: .releasing) }
    job = newJob
    self.chunks = chunks
    unfinished.store(chunks, ordering: .relaxed)
    untaken.store(chunks, ordering: .sequentiallyConsistent)
    wakeSleepers(atMost: chunks - 1)
    while workAtOneChunk() {}
    waitUntilFinished()
    return true
  }

  /// The life of a helper, until the crew is dismissed.
  func help() {
    var looks = 0
    while !isDismissed.load(ordering: .relaxed) {
      if workAtOneChunk() {
        looks = 0
      } else if looks < Crew.patience {
        looks += 1
      } else {
        sleep()
        looks = 0
      }
    }
  }

  /// Ends the life of all helpers; a chunk that one is working at ends first.
  func dismiss() {
    isDismissed.store(true, ordering: .sequentiallyConsistent)
    wakeSleepers(atMost: Int.max)
  }

  // MARK: Chunks

  private func workAtOneChunk() -> Bool {
    guard let left = takeChunk() else { return false }
    call(chunks - left)
    let (before, _) = unfinished.subtract(1, ordering: .acquiringAndReleasing)
    if before == 1 | Crew.publisherSleeps { publisherWakes.signal() }
    return true
  }

  /// The number of chunks that were untaken, if there was one to take.
  private func takeChunk() -> Int? {
    var left = untaken.load(ordering: .relaxed)
    while left > 0 {
      let (isTaken, found) = untaken.weakCompareExchange(
        expected: left, desired: left - 1, successOrdering: .acquiring, failureOrdering: .relaxed)
      if isTaken { return left }
      left = found
    }
    return nil
  }

  /// Calls the job. A function of its own, so that no reference to the closure outlives the call:
  /// when the chunk is reported done, the publisher may leave.
  @inline(never)
  private func call(_ index: Int) {
    job?.pointee.body(index)
  }

  private func waitUntilFinished() {
    for _ in 0..<Crew.patience {
      if unfinished.load(ordering: .acquiring) == 0 { return }
    }
    let (before, _) = unfinished.bitwiseOr(
      Crew.publisherSleeps, ordering: .acquiringAndReleasing)
    if before != 0 { publisherWakes.wait() }
    // The last helper's subtraction ordered its chunk before this.
    _ = unfinished.load(ordering: .acquiring)
  }

  // MARK: Sleep

  private func sleep() {
    sleepers.add(1, ordering: .sequentiallyConsistent)
    let hasReason =
      untaken.load(ordering: .sequentiallyConsistent) > 0
      || isDismissed.load(ordering: .sequentiallyConsistent)
    // Who was counted out by a waker must take the signal that was sent for it.
    if hasReason && takeSleepers(atMost: 1) == 1 { return }
    helperWakes.wait()
  }

  private func wakeSleepers(atMost limit: Int) {
    for _ in 0..<takeSleepers(atMost: limit) { helperWakes.signal() }
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
