//===--- Workers.swift - parallel loop over chunks ------------------------===//
//
// A kernel splits its work into chunks that write disjoint outputs and passes them to `Workers`.
// The value holds a closure, so kernels do not depend on threads.
//
// Contract  Chunks may run in any order and in parallel; `perform` returns when all are done.
//           Splitting must not make an output's bits depend on the number of workers. If
//           `cancellation` returns a reason, chunks that have not started are skipped; the caller
//           must ask it again before using the outputs.
//===----------------------------------------------------------------------===//

/// Runs the chunks of a kernel's work, possibly in parallel.
///
/// ```swift
/// let options = ObjectDetectorOptions()
/// options.interpreterOptions.workers = .pool(count: 4)
/// ```
public struct Workers: Sendable {
  /// The number of chunks that can run in parallel, at least 1.
  public let count: Int

  /// The check that is asked before each chunk.
  public private(set) var cancellation = CancellationCheck.never

  @usableFromInline
  let run: @Sendable (_ chunks: Int, _ body: (Int) -> Void) -> Void

  /// The approximate size limit of `split`'s ranges, in grains, so that work can be cancelled.
  @usableFromInline
  static let longestPiece = 32

  /// Creates workers. `run` calls `body` once for each index in `0..<chunks` and returns when all
  /// calls have ended.
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

  /// Returns the same workers, which ask `cancellation` before each chunk.
  public func checking(_ cancellation: CancellationCheck) -> Workers {
    var workers = self
    workers.cancellation = cancellation
    return workers
  }

  /// Whether the work has been interrupted and its outputs must not be used.
  @inlinable
  public var isInterrupted: Bool { cancellation.interruption != nil }

  /// Calls `body` for each index in `0..<chunks` and returns when all calls have ended. After an
  /// interruption no further call starts.
  @inlinable
  public func perform(_ chunks: Int, _ body: (Int) -> Void) {
    if chunks == 1 {
      if !isInterrupted { body(0) }
    } else if chunks > 1 {
      run(chunks) { if !isInterrupted { body($0) } }
    }
  }

  /// Splits `0..<extent` into ranges of at least `grain` elements and calls `body` with each: one
  /// per worker, or more if the ranges would be too long.
  @inline(never)
  public func split(_ extent: Int, grain: Int, _ body: (Range<Int>) -> Void) {
    // Inlined, each caller would contain two copies of the body: `perform` calls it in two places.
    let grains = Swift.max(extent / Swift.max(grain, 1), 1)
    let chunks = Swift.max(Swift.min(count, grains), grains / Workers.longestPiece)
    perform(chunks) { body(Workers.part($0, of: chunks, in: extent)) }
  }

  /// The range of one of `chunks` parts of `0..<extent`, whose lengths differ by at most 1.
  @inlinable
  static func part<Index: FixedWidthInteger>(
    _ index: Index, of chunks: Index, in extent: Index
  ) -> Range<Index> {
    // No product exceeds `extent`.
    let (length, longer) = extent.quotientAndRemainder(dividingBy: chunks)
    let start = index * length + min(index, longer)
    return start..<start + length + (index < longer ? 1 : 0)
  }
}
