//===--- Workers.swift - parallel loop over chunks ------------------------===//
//
// A kernel splits its work into chunks that write disjoint outputs and hands them to `Workers`.
// The value holds a closure, so that kernels know nothing about threads and run without any.
//
// Contract  Chunks may run in any order and at the same time; `perform` returns when all are done.
//           How the work is split never depends on the number of workers in a way that changes an
//           output's bits. If `cancellation` says so, chunks that have not begun are left out: the
//           caller asks it again before it uses the outputs.
// Checked   Tests/MartletRuntimeTests/WorkersTests.swift, Tests/MartletWorkersTests
//===----------------------------------------------------------------------===//

/// Something that runs the chunks of a piece of work, possibly at the same time.
public struct Workers: Sendable {
  /// How many chunks can run at the same time; at least 1.
  public let count: Int

  /// Asked before each chunk.
  public private(set) var cancellation = CancellationCheck.never

  @usableFromInline
  let run: @Sendable (_ chunks: Int, _ body: (Int) -> Void) -> Void

  /// `split` cuts work into pieces of at most about this many grains, so that it can be cancelled.
  @usableFromInline
  static let longestPiece = 32

  /// Workers that run `chunks` calls of `body`, one for each index in `0..<chunks`, and return when
  /// all have ended.
  public init(
    count: Int, run: @escaping @Sendable (_ chunks: Int, _ body: (Int) -> Void) -> Void
  ) {
    self.count = Swift.max(count, 1)
    self.run = run
  }

  /// One worker: the caller itself, in index order.
  public static let serial = Workers(count: 1) { chunks, body in
    for index in 0..<chunks { body(index) }
  }

  /// The same workers, asking `cancellation` before each chunk.
  public func checking(_ cancellation: CancellationCheck) -> Workers {
    var workers = self
    workers.cancellation = cancellation
    return workers
  }

  /// Whether the work is to stop: its outputs are not used.
  @inlinable
  public var isInterrupted: Bool { cancellation.interruption != nil }

  /// Calls `body` for each index in `0..<chunks` and returns when all calls have ended. Once the work
  /// is interrupted, no further call begins.
  @inlinable
  public func perform(_ chunks: Int, _ body: (Int) -> Void) {
    if chunks == 1 {
      if !isInterrupted { body(0) }
    } else if chunks > 1 {
      run(chunks) { if !isInterrupted { body($0) } }
    }
  }

  /// Splits `0..<extent` into ranges of at least `grain` elements and calls `body` with each: one for
  /// each worker, or more where they would be long.
  @inlinable
  public func split(_ extent: Int, grain: Int, _ body: (Range<Int>) -> Void) {
    let grains = Swift.max(extent / Swift.max(grain, 1), 1)
    let chunks = Swift.max(Swift.min(count, grains), grains / Workers.longestPiece)
    perform(chunks) { index in
      body(extent * index / chunks..<extent * (index + 1) / chunks)
    }
  }
}
