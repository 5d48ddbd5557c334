//===--- Workers+Pool.swift - workers that are threads --------------------===//
//
// `Workers.pool(count: 4)` starts three threads; the caller of a kernel is the fourth worker.
//
// Contract  Any thread may call at any time: while one caller has the pool, others, and calls from
//           within a chunk, run their own chunks one after the other. The threads end when the
//           last copy of the `Workers` value is gone.
// Cost      Idle threads sleep. See `ThreadPool` for the protocol and its cost.
// Checked   Tests/MartletWorkersTests/ThreadPoolTests.swift
//===----------------------------------------------------------------------===//

import Dispatch
import MartletRuntime

extension Workers {
  /// Workers of which `count - 1` are threads of their own and one is the caller; those of `count`
  /// 1 or less are `serial`. While other programs keep the threads from running, the callers do
  /// without them.
  public static func pool(count: Int) -> Workers {
    pool(count: count, backoff: Backoff())
  }

  static func pool(count: Int, backoff: Backoff) -> Workers {
    guard count > 1 else { return .serial }
    let owner = PoolOwner(threads: count - 1, backoff: backoff)
    return Workers(count: count) { chunks, body in owner.run(chunks, body) }
  }
}

/// Owns the threads: they hold the pool's state alone, so that the pool can end while they sleep.
private final class PoolOwner: Sendable {
  private let pool: ThreadPool

  init(threads: Int, backoff: Backoff) {
    pool = ThreadPool(backoff: backoff)
    for index in 1...threads {
      // A serial queue's block has a thread to itself, for as long as it runs.
      let queue = DispatchQueue(label: "martlet.worker.\(index)", qos: .userInitiated)
      queue.async { [pool] in pool.runWorker() }
    }
  }

  deinit { pool.end() }

  /// Neither the closure nor the pointer to it is used when the pool's `run` has returned.
  func run(_ chunks: Int, _ body: (Int) -> Void) {
    let isDone = withoutActuallyEscaping(body) { body in
      unsafe withUnsafePointer(to: Job(body: body)) { unsafe pool.run(chunks, $0) }
    }
    if !isDone { Workers.serial.perform(chunks, body) }
  }
}
