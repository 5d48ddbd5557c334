//===--- RemainingChunks.swift - unclaimed chunks of a job ----------------===//
//
// The submitter takes chunks from the front, workers from the back. So the faster thread gets the
// chunks in the middle, and each of two threads gets the same half of the image in every layer,
// which stays in its cache.
//
// Contract  Each chunk is taken exactly once.
//===----------------------------------------------------------------------===//

import Synchronization

/// A range of chunks that shrinks from both ends, in one word.
@available(macOS 15, iOS 18, *)
struct RemainingChunks: ~Copyable {
  /// The largest number of chunks.
  static let limit = Int(Int32.max)

  /// The first chunk in the upper half, the end in the lower.
  private let range = Atomic<UInt64>(0)

  /// Publishes chunks to the threads that look for work.
  func put(_ chunks: Range<Int>) {
    range.store(
      UInt64(chunks.lowerBound) << 32 | UInt64(chunks.upperBound),
      ordering: .sequentiallyConsistent)
  }

  /// Whether no chunk is left. Sequentially consistent, like `put`.
  var isEmpty: Bool { !RemainingChunks.hasChunks(range.load(ordering: .sequentiallyConsistent)) }

  func takeFirst() -> Int? {
    take { ($0 >> 32, $0 + 1 << 32) }
  }

  func takeLast() -> Int? {
    take { ($0 & 0xFFFF_FFFF - 1, $0 - 1) }
  }

  /// Takes the chunk that `choose` returns and keeps the rest that it returns.
  @inline(__always)
  private func take(_ choose: (UInt64) -> (chunk: UInt64, rest: UInt64)) -> Int? {
    var found = range.load(ordering: .relaxed)
    while RemainingChunks.hasChunks(found) {
      let (chunk, rest) = choose(found)
      let (isTaken, newer) = range.weakCompareExchange(
        expected: found, desired: rest, successOrdering: .acquiring, failureOrdering: .relaxed)
      if isTaken { return Int(chunk) }
      found = newer
    }
    return nil
  }

  private static func hasChunks(_ range: UInt64) -> Bool { range >> 32 < range & 0xFFFF_FFFF }
}
