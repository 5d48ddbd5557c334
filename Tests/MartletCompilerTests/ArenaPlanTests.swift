//===--- ArenaPlanTests.swift ---------------------------------------------===//

import MartletBase
import MartletTestSupport
import Testing

@testable import MartletCompiler

@Suite struct ArenaPlanTests {
  @Test func valuesOfDifferentTimesShareMemory() {
    let plan = ArenaPlan([
      ArenaValue(byteCount: 100, lifetime: 0...1), ArenaValue(byteCount: 50, lifetime: 1...2),
      ArenaValue(byteCount: 100, lifetime: 2...3),
    ])
    #expect(plan.byteCount == 150)
    #expect(plan.offsets[0] == plan.offsets[2])
  }

  /// The output may cover the input's end, but must begin 20 bytes below it.
  @Test func outputOverlapsItsInputByTheLead() {
    let plan = ArenaPlan([
      ArenaValue(byteCount: 100, lifetime: 0...1),
      ArenaValue(byteCount: 100, lifetime: 1...2, leads: [0: 20]),
    ])
    #expect(plan.byteCount == 120)
    #expect(plan.offsets[0] - plan.offsets[1] == 20)
  }

  @Test func noMemoryForNoValues() { #expect(ArenaPlan([]).byteCount == 0) }

  /// Numbers of values for which pairs are exchanged, orders are tried, and one order is used.
  @Test(arguments: [100, 1000, 6000])
  func valuesInUseAtOnceDoNotOverlap(_ count: Int) {
    var random = SplitMix64(seed: 5)
    let values = (0..<count).map { index in
      let length = random.next() % 16 == 0 ? count : 4
      let last = min(index + 1 + Int(random.next() % UInt64(length)), count)
      return ArenaValue(
        byteCount: 4 * Int(random.next() % 100), lifetime: index...last,
        leads: index > 0 && random.next() % 2 == 0 ? [index - 1: 8] : [:])
    }
    let plan = ArenaPlan(values)
    for (index, a) in values.enumerated() {
      for (other, b) in values.enumerated().dropFirst(index + 1)
      where a.lifetime.overlaps(b.lifetime) {
        let distance = plan.offsets[index] - plan.offsets[other]
        guard distance < b.leads[index] ?? b.byteCount, -distance < a.byteCount else { continue }
        Issue.record("\(index) at \(plan.offsets[index]), \(other) at \(plan.offsets[other])")
        return
      }
    }
    #expect(plan.byteCount == zip(plan.offsets, values).map { $0 + $1.byteCount }.max())
  }

  /// 30,000 values in use until the end need no memory for each pair.
  @Test func manyLongLivedValuesAreOneAfterTheOther() {
    let count = 30_000
    let plan = ArenaPlan(
      (0..<count).map { ArenaValue(byteCount: 16, lifetime: $0...count) })
    #expect(plan.byteCount == 16 * count)
  }
}
