//===--- ArenaPlanTests.swift ---------------------------------------------===//

import MartletBase
import Testing

@testable import MartletCommandLine

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

  /// A 3 x 3 window of a 4 x 4 image of one channel.
  @Test func leadIsTheDistanceToTheFirstByteThatIsStillRead() throws {
    let axis = try #require(WindowAxis(input: 4, filter: 3, stride: 1, isSame: true))
    let window = SlidingWindow(batches: 1, rows: axis, columns: axis)
    let order = ReadingOrder(window, depth: 1, outputDepth: 1)
    // When the fifth pixel is written, its right neighbor still reads byte 0.
    #expect(order.lead(.pixelFirst) == 5)
  }

  @Test func pointwiseLayersThatShrinkNeedNoLead() throws {
    let axis = try #require(WindowAxis(input: 8, filter: 1, stride: 1, isSame: true))
    let window = SlidingWindow(batches: 1, rows: axis, columns: axis)
    let order = ReadingOrder(window, depth: 16, outputDepth: 8)
    #expect(order.lead(.pixelFirst) == 0)
  }
}
