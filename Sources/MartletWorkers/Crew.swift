//===--- Crew.swift - what a pool's threads share -------------------------===//
//
// One job at a time, taken chunk by chunk. Whoever holds the lock publishes a job and works at it
// too; helpers join while chunks are left. The publisher waits for chunks, never for helpers: a
// helper that sleeps through a job costs nothing. The first chunk is the publisher's.
//
// Protocol  `untaken` is the range of chunks to be taken. A successful compare-and-swap that shortens
//           it owns one chunk of the job that is current at that moment, whichever that is: a job is
//           replaced only when all its chunks are done, so what the swap's owner reads next is that
//           job, whole. No epoch is needed.
//           `unfinished` counts chunks not done. Its flag says that the publisher sleeps; count
//           and flag change in one atomic, so the last to finish sees the flag, or the publisher
//           sees zero.
//           A helper announces its sleep in `sleepers`, then looks once more for work; a publisher
//           shows work, then looks for sleepers. All four are sequentially consistent, so one of
//           the two sees the other, and no wake-up is lost.
// Cost      A job that finds its helpers awake: a third of a microsecond; one and a third between
//           processors that share no cache. Helpers that see no work for some hundreds of
//           microseconds sleep; waking them takes the system about a hundred. Where others want the
//           processors, who waits yields, and see `Restraint`: with two busy programs beside it, on
//           two processors, a pool of two takes as long as one thread does; without the two it takes
//           up to five times as long.
// Checked   Tests/MartletWorkersTests/WorkerPoolTests.swift, and by hand with
//           `swift test --sanitize thread --filter MartletWorkersTests`
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import Dispatch
import Synchronization

/// What is to be done with each chunk. A struct, since a pointer to a bare closure would take a thunk,
/// and an allocation, to make one.
struct Job {
  let body: (Int) -> Void
}

/// The state that the threads of a pool share.
///
/// Unchecked because of `job`, which only the lock's holder writes, and only while no chunk of a job is
/// left or running, and of `restraint`, which is the lock holder's alone.
final class Crew: @unchecked Sendable {
  /// How often a thread looks for work before it sleeps: hundreds of microseconds, so that an
  /// operator that one thread computes alone puts no helper to sleep.
  private static let patience = 300_000
  /// After so many looks, a power of two, it lets others have its processor: the very thread that it
  /// waits for may want it.
  private static let politeness = 1 << 10
  /// Set in `unfinished` while the publisher sleeps.
  private static let publisherSleeps = 1 << 62

  // Gaps of two cache lines keep apart what the publisher alone uses, what idle helpers look at, what
  // changes at the end of a chunk, and what hardly ever does: a write to a line that another thread
  // looks at makes both wait.
  private let isLocked = Atomic(false)
  private var restraint: Restraint
  private let gap1 = InlineArray<16, Int>(repeating: 0)

  private var job: UnsafePointer<Job>?
  private let untaken = Untaken()
  private let isDismissed = Atomic(false)
  private let gap2 = InlineArray<16, Int>(repeating: 0)

  private let unfinished = Atomic(0)
  private let gap3 = InlineArray<16, Int>(repeating: 0)

  private let sleepers = Atomic(0)
  private let helperWakes = DispatchSemaphore(value: 0)
  private let publisherWakes = DispatchSemaphore(value: 0)

  init(restraint: Restraint) { self.restraint = restraint }

  /// Runs all chunks and returns when they have ended; `false`, with nothing run, if the crew is at
  /// work for somebody else, who may be this very thread, or does not get on at present, or there are
  /// too many chunks.
  ///
  /// - Precondition: there are at least two chunks.
  func run(_ chunks: Int, _ newJob: UnsafePointer<Job>) -> Bool {
    guard chunks <= Untaken.limit else { return false }
    let (isMine, _) = isLocked.compareExchange(
      expected: false, desired: true, ordering: .acquiring)
    guard isMine else { return false }
    defer { isLocked.store(false, ordering: .releasing) }
    let start = ContinuousClock.now
    guard restraint.allowsHelp(at: start) else { return false }
    job = newJob
    unfinished.store(chunks, ordering: .relaxed)
    untaken.put(1..<chunks)
    wakeSleepers(atMost: chunks - 1)
    call(0)
    var done = 1
    while let index = untaken.takeFirst() {
      call(index)
      done += 1
    }
    let (before, _) = unfinished.subtract(done, ordering: .acquiringAndReleasing)
    if before > done { waitUntilFinished(since: start) }
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
        if looks % Crew.politeness == 0 { sched_yield() }
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

  /// A helper's share.
  private func workAtOneChunk() -> Bool {
    guard let index = untaken.takeLast() else { return false }
    call(index)
    let (before, _) = unfinished.subtract(1, ordering: .acquiringAndReleasing)
    if before == 1 | Crew.publisherSleeps { publisherWakes.signal() }
    return true
  }

  /// Calls the job. A function of its own, so that no reference to the closure outlives the call:
  /// when the chunk is reported done, the publisher may leave.
  @inline(never)
  private func call(_ index: Int) {
    job?.pointee.body(index)
  }

  /// Waits for the helpers' chunks of a job that was published at `start`.
  private func waitUntilFinished(since start: ContinuousClock.Instant) {
    for look in 1...Crew.patience {
      if unfinished.load(ordering: .acquiring) == 0 { return }
      if look % Crew.politeness == 0 { sched_yield() }
    }
    let tired = ContinuousClock.now
    let (before, _) = unfinished.bitwiseOr(
      Crew.publisherSleeps, ordering: .acquiringAndReleasing)
    if before != 0 { publisherWakes.wait() }
    // The last helper's subtraction ordered its chunk before this.
    _ = unfinished.load(ordering: .acquiring)
    restraint.note(worked: tired - start, waited: ContinuousClock.now - tired, now: .now)
  }

  // MARK: Sleep

  private func sleep() {
    sleepers.add(1, ordering: .sequentiallyConsistent)
    let hasReason =
      !untaken.isEmpty
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
