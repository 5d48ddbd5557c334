//===--- RemainingChunks.swift - chunks of a job that nobody has taken ----===//
//
// The submitter takes them from the front, workers from the back. So the chunks in the middle go to
// the faster thread, and of two threads each has, layer after layer, the same half of the image,
// which then stays in its own cache.
//
// Contract  Each chunk is taken once, by whichever thread.
// Checked   Tests/MartletWorkersTests/RemainingChunksTests.swift
//===----------------------------------------------------------------------===//

import Synchronization

/// A range of chunks that shrinks from both ends, in one word.
struct RemainingChunks: ~Copyable {
  /// The most chunks that it can hold.
  static let limit = Int(Int32.max)

  /// The first chunk in the upper half, the end in the lower.
  private let range = Atomic<UInt64>(0)

  /// Shows chunks to the threads that look for work.
  func put(_ chunks: Range<Int>) {
    range.store(
      UInt64(chunks.lowerBound) << 32 | UInt64(chunks.upperBound),
      ordering: .sequentiallyConsistent)
  }

  /// Whether there is none. In one order with `put` and all else that is sequentially consistent.
  var isEmpty: Bool { !RemainingChunks.hasChunks(range.load(ordering: .sequentiallyConsistent)) }

  func takeFirst() -> Int? {
    take { ($0 >> 32, $0 + 1 << 32) }
  }

  func takeLast() -> Int? {
    take { ($0 & 0xFFFF_FFFF - 1, $0 - 1) }
  }

  /// Takes the chunk that `choose` names, leaving the range that it names with it.
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
