import MartletModel
import Testing

@testable import MartletInference

@Suite struct MemoryPlannerTests {
  func request(_ bytes: Int, _ lifetime: ClosedRange<Int>) -> MemoryRequest {
    MemoryRequest(byteCount: bytes, lifetime: lifetime)
  }

  @Test func chainNeedsMemoryForTwoNeighbors() throws {
    // Only the next step reads each block: 64 and 128, 128 and 64, 64 and 192 bytes are live
    // together.
    let plan = try #require(
      MemoryPlan([
        request(64, 0...1), request(128, 1...2), request(64, 2...3), request(192, 3...4),
      ]))
    #expect(plan.byteCount == 256)
  }

  @Test func blocksWithDisjointLifetimesShareMemory() throws {
    let plan = try #require(MemoryPlan((0..<9).map { request(64, $0...$0) }))
    #expect(plan.byteCount == 64)
    #expect(plan.offsets.allSatisfy { $0 == 0 })
  }

  @Test func usesGapsBeforeGrowing() throws {
    // The long-lived blocks leave a gap of 128 after the one that ends.
    let plan = try #require(
      MemoryPlan([
        request(256, 0...9), request(192, 0...1), request(128, 0...9), request(64, 2...9),
      ]))
    #expect(plan.byteCount == 256 + 192 + 128)
    #expect(plan.offsets[3] == 256)
  }

  @Test(arguments: 1...8)
  func blocksWithOverlappingLifetimesNeverOverlap(seed: UInt64) throws {
    var state = seed
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let requests = (0..<200).map { _ in
      let first = next(50)
      return request(next(2500), first...first + next(12))
    }
    let plan = try #require(MemoryPlan(requests))
    for a in requests.indices {
      #expect(plan.offsets[a] + requests[a].byteCount <= plan.byteCount)
      #expect(plan.offsets[a] % (requests[a].byteCount < 64 ? 16 : 64) == 0)
      for b in requests.indices
      where a < b && requests[a].lifetime.overlaps(requests[b].lifetime)
        && requests[a].byteCount > 0 && requests[b].byteCount > 0
      {
        let isDisjoint =
          plan.offsets[a] + requests[a].byteCount <= plan.offsets[b]
          || plan.offsets[b] + requests[b].byteCount <= plan.offsets[a]
        #expect(isDisjoint, "\(a) and \(b)")
      }
    }
  }

  @Test func doesNotRoundUpTheLastBlock() throws {
    let plan = try #require(MemoryPlan([request(100, 0...1), request(90, 0...1)]))
    #expect(plan.byteCount == 128 + 90)
  }

  @Test(arguments: [([432, 180], 192 + 432), ([180, 432], 192 + 432), ([12, 12, 12], 32 + 12)])
  func findsTheBestOrderForUnalignedSizes(sizes: [Int], expected: Int) throws {
    let plan = try #require(MemoryPlan(sizes.map { request($0, 0...1) }))
    #expect(plan.byteCount == expected)
  }

  @Test func usesOtherOrdersIfTheyNeedLessMemory() throws {
    // Ordered by size, these need 960 bytes (found by random search with an independent program).
    // At most 768 are live, at step 3.
    let requests = [
      request(64, 3...4), request(320, 3...3), request(128, 2...3), request(256, 2...4),
      request(256, 0...2), request(320, 1...1),
    ]
    let plan = try #require(MemoryPlan(requests))
    let most = (0...4).map { step in
      requests.filter { $0.lifetime.contains(step) }.reduce(0) { $0 + $1.byteCount }
    }.max()
    #expect(most == 768 && plan.byteCount == 768)
  }

  @Test func refusesATotalThatOverflows() {
    #expect(MemoryPlan([request(Int.max, 0...0), request(64, 1...1)]) == nil)
  }

  @Test func plansTooManyBlocksWithoutSharing() throws {
    let count = ModelLimits.sharingBlocks + 1
    let plan = try #require(MemoryPlan((0..<count).map { request(64, $0...$0) }))
    #expect(plan.byteCount == 64 * count)
  }
}
