//===--- WorkerPool.swift - threads that share a kernel's chunks ----------===//
//
// `Workers.pool(count: 4)` starts three threads; the caller of a kernel is the fourth worker.
//
// Contract  Any thread may call at any time: while one caller has the pool, others, and calls from
//           within a chunk, run their own chunks one after the other. The threads end when the
//           last copy of the `Workers` value is gone.
// Cost      Idle threads sleep. See `Crew` for the protocol and its cost.
// Checked   Tests/MartletWorkersTests/WorkerPoolTests.swift
//===----------------------------------------------------------------------===//

import Dispatch
import MartletRuntime

extension Workers {
  /// Workers of which `count - 1` are threads of their own and one is the caller; those of `count`
  /// 1 or less are `serial`. While other programs keep the threads from running, the callers do
  /// without them.
  public static func pool(count: Int) -> Workers {
    pool(count: count, restraint: Restraint())
  }

  static func pool(count: Int, restraint: Restraint) -> Workers {
    guard count > 1 else { return .serial }
    let pool = WorkerPool(helpers: count - 1, restraint: restraint)
    return Workers(count: count) { chunks, body in pool.run(chunks, body) }
  }
}

/// Owns the helpers: they know the crew alone, so that the pool can end while they sleep.
private final class WorkerPool: Sendable {
  private let crew: Crew

  init(helpers: Int, restraint: Restraint) {
    crew = Crew(restraint: restraint)
    for index in 1...helpers {
      // A serial queue's block has a thread to itself, for as long as it runs.
      let queue = DispatchQueue(label: "martlet.worker.\(index)", qos: .userInitiated)
      queue.async { [crew] in crew.help() }
    }
  }

  deinit { crew.dismiss() }

  func run(_ chunks: Int, _ body: (Int) -> Void) {
    let isDone = withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: Job(body: body)) { crew.run(chunks, $0) }
    }
    if !isDone { Workers.serial.perform(chunks, body) }
  }
}
