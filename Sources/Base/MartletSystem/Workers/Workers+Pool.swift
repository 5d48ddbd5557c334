//===--- Workers+Pool.swift - workers with threads ------------------------===//
//
// `Workers.pool(count: 4)` starts three threads; the caller of a kernel is the fourth worker.
//
// Contract  Any thread may call at any time. While one caller uses the pool, other callers, and
//           calls from within a chunk, run their own chunks one after the other. The threads end
//           when the last copy of the `Workers` value is released. Before macOS 15 and iOS 18 the
//           system's queues run the chunks of all callers.
// Cost      Idle threads sleep. See `ThreadPool` for the protocol and its cost.
//===----------------------------------------------------------------------===//

import Dispatch
import MartletBase

extension Workers {
  /// One worker for each processor that the process may use. All networks can share them; while they
  /// work for one caller, the others work alone. The threads start at the first use.
  public static let pool = pool(count: Processors.count)

  /// Creates workers with `count - 1` threads; the caller is the last worker. If `count` is 1 or
  /// less, the result is `serial`. While other programs keep the threads from running, callers work
  /// without them.
  public static func pool(count: Int) -> Workers {
    pool(count: count, backoff: Backoff())
  }

  static func pool(count: Int, backoff: Backoff) -> Workers {
    guard count > 1 else { return .serial }
    guard #available(macOS 15, iOS 18, *) else { return queues(count: count) }
    let owner = PoolOwner(threads: count - 1, backoff: backoff)
    return Workers(count: count) { chunks, body in owner.run(chunks, body) }
  }

  /// Workers that the system's queues perform, on systems without `Atomic`.
  static func queues(count: Int) -> Workers {
    Workers(count: count) { chunks, body in
      withoutActuallyEscaping(body) { body in
        // Kernels pass bodies that any thread may call.
        nonisolated(unsafe) let body = body
        DispatchQueue.concurrentPerform(iterations: chunks) { unsafe body($0) }
      }
    }
  }
}

/// Owns the threads, which only refer to the pool's state, so that the pool can end while they
/// sleep.
@available(macOS 15, iOS 18, *)
private final class PoolOwner: Sendable {
  private let pool: ThreadPool

  init(threads: Int, backoff: Backoff) {
    pool = ThreadPool(backoff: backoff)
    for index in 1...threads {
      // A block of a serial queue has its own thread as long as it runs.
      let queue = DispatchQueue(label: "martlet.worker.\(index)", qos: .userInitiated)
      queue.async { [pool] in pool.runWorker() }
    }
  }

  deinit { pool.end() }

  /// The closure and the pointer to it are not used after the pool's `run` has returned.
  func run(_ chunks: Int, _ body: (Int) -> Void) {
    let isDone = withoutActuallyEscaping(body) { body in
      unsafe withUnsafePointer(to: Job(body: body)) { unsafe pool.run(chunks, $0) }
    }
    if !isDone { Workers.serial.perform(chunks, body) }
  }
}
