import Testing

@testable import MartletBase

@Suite struct WorkersTests {
  /// `count` workers that all run on the calling thread.
  private func workers(_ count: Int) -> Workers {
    Workers(count: count) { chunks, body in for index in 0..<chunks { body(index) } }
  }

  @Test func countIsAtLeastOne() {
    #expect(workers(0).count == 1)
    #expect(Workers.serial.count == 1)
  }

  @Test(arguments: [0, 1, 2, 9])
  func serialRunsEachChunkInOrder(chunks: Int) {
    var indices: [Int] = []
    Workers.serial.perform(chunks) { indices.append($0) }
    #expect(indices == Array(0..<chunks))
  }

  @Test(arguments: [1, 2, 3, 4, 7], [0, 1, 10, 100, 101])
  func splitsIntoRangesThatCoverAll(count: Int, extent: Int) {
    var ranges: [Range<Int>] = []
    workers(count).split(extent, grain: 10) { ranges.append($0) }
    #expect(ranges.flatMap { Array($0) } == Array(0..<extent))
    #expect(ranges.count <= count)
    #expect(ranges.count == 1 || ranges.allSatisfy { $0.count >= 10 })
  }

  /// The largest extent and number of chunks of 32 bits: `extent * index` would overflow.
  @Test func splits32BitExtentsWithoutOverflow() {
    #expect(Workers.part(0, of: 3, in: Int32.max) == 0..<715_827_883)
    #expect(Workers.part(1, of: 3, in: Int32.max) == 715_827_883..<1_431_655_765)
    #expect(Workers.part(2, of: 3, in: Int32.max) == 1_431_655_765..<2_147_483_647)
    let chunks: Int32 = 1 << 26
    #expect(Workers.part(chunks - 1, of: chunks, in: Int32.max) == 2_147_483_616..<2_147_483_647)
  }

  @Test func splitsLongWorkIntoMorePiecesThanWorkers() {
    var ranges: [Range<Int>] = []
    workers(2).split(3200, grain: 10) { ranges.append($0) }
    #expect(ranges.count == 10)
    #expect(ranges.flatMap { Array($0) } == Array(0..<3200))
  }

  @Test(arguments: [1, 2]) func startsNoChunkAfterInterruption(count: Int) {
    let isCancelled = Mutex(false)
    let workers = workers(count).checking(
      CancellationCheck { isCancelled.withLock { $0 } ? .cancelled : nil })
    var chunks = 0
    workers.perform(10) { _ in
      chunks += 1
      if chunks == 3 { isCancelled.withLock { $0 = true } }
    }
    #expect(chunks == 3)
    workers.perform(1) { _ in chunks += 1 }
    #expect(chunks == 3)
    #expect(workers.isInterrupted)
  }

  @Test func chunksAreAtLeastOneGrain() {
    var chunks = 0
    workers(4).split(25, grain: 10) { _ in chunks += 1 }
    #expect(chunks == 2)
    chunks = 0
    workers(4).split(3, grain: 0) { _ in chunks += 1 }
    #expect(chunks == 3)
  }
}
