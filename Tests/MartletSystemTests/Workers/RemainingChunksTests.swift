import MartletBase
import Testing

@testable import MartletSystem

@Suite struct RemainingChunksTests {
  /// A copyable wrapper, because `#expect` copies its operands.
  private final class Chunks: Sendable {
    private let remaining = RemainingChunks()

    init(_ chunks: Range<Int>) { remaining.put(chunks) }

    func takeFirst() -> Int? { remaining.takeFirst() }
    func takeLast() -> Int? { remaining.takeLast() }
    var isEmpty: Bool { remaining.isEmpty }
    var isDrained: Bool { isEmpty && takeFirst() == nil && takeLast() == nil }
  }

  @Test func emptyRangeHasNoChunks() {
    #expect(Chunks(0..<0).isDrained)
    #expect(Chunks(3..<3).isDrained)
  }

  @Test func takesChunksFromBothEnds() {
    let chunks = Chunks(1..<6)
    #expect(chunks.takeFirst() == 1)
    #expect(chunks.takeLast() == 5)
    #expect(chunks.takeLast() == 4)
    #expect(chunks.takeFirst() == 2)
    #expect(!chunks.isEmpty)
    #expect(chunks.takeLast() == 3)
    #expect(chunks.isDrained)
  }

  @Test func holdsChunksUpToTheLimit() {
    #expect(Chunks(1..<RemainingChunks.limit).takeLast() == RemainingChunks.limit - 1)
    let last = Chunks(RemainingChunks.limit - 1..<RemainingChunks.limit)
    #expect(last.takeFirst() == RemainingChunks.limit - 1)
    #expect(last.isDrained)
  }

  @Test func concurrentTakersGetEachChunkOnce() {
    let count = 20_000
    let chunks = Chunks(0..<count)
    let taken = Mutex([Int](repeating: 0, count: count))
    Workers.pool(count: 4).perform(4) { worker in
      var mine: [Int] = []
      while let chunk = worker % 2 == 0 ? chunks.takeFirst() : chunks.takeLast() {
        mine.append(chunk)
      }
      taken.withLock { taken in for chunk in mine { taken[chunk] += 1 } }
    }
    #expect(taken.withLock { $0 } == [Int](repeating: 1, count: count))
  }
}
