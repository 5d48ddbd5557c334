//===--- ReadingOrderTests.swift ------------------------------------------===//

import MartletBase
import MartletTestSupport
import Testing

@testable import MartletCompiler

@Suite struct ReadingOrderTests {
  /// A 3 x 3 window of a 4 x 4 image of one channel.
  @Test func leadIsTheDistanceToTheFirstByteThatIsStillRead() throws {
    let axis = try #require(WindowAxis(input: 4, filter: 3, stride: 1, isSame: true))
    let window = SlidingWindow(batches: 1, rows: axis, columns: axis)
    let order = ReadingOrder(window, depth: 1, outputDepth: 1)
    // When the fifth pixel is written, its right neighbor still reads byte 0.
    #expect(order.lead(.first) == 5)
  }

  @Test func pointwiseLayersThatShrinkNeedNoLead() throws {
    let axis = try #require(WindowAxis(input: 8, filter: 1, stride: 1, isSame: true))
    let window = SlidingWindow(batches: 1, rows: axis, columns: axis)
    let order = ReadingOrder(window, depth: 16, outputDepth: 8)
    #expect(order.lead(.first) == 0)
  }

  /// Windows of many kinds, against a search of all pixels for bytes that are written before they
  /// are read for the last time.
  @Test func leadsAreThoseOfASearch() throws {
    var random = SplitMix64(seed: 2)
    func number(_ range: ClosedRange<Int>) -> Int {
      range.lowerBound + Int(random.next() % UInt64(range.count))
    }
    for _ in 0..<300 {
      let axes = (0..<2).map { _ in
        WindowAxis(
          input: number(1...9), filter: number(1...5), stride: number(1...4),
          dilation: number(1...3), isSame: number(0...2) > 0)
      }
      guard let rows = axes[0], let columns = axes[1] else { continue }
      let (depth, outputDepth) = (number(1...5), number(1...5))
      let window = SlidingWindow(batches: 1, rows: rows, columns: columns)
      let order = ReadingOrder(window, depth: depth, outputDepth: outputDepth)
      let firsts = (0..<window.outputCount).map { pixel in
        let (row, column) = pixel.quotientAndRemainder(dividingBy: columns.output)
        return (max(rows.origin(of: row), 0) * columns.input + max(columns.origin(of: column), 0))
          * depth
      }
      for (reading, isReadAgain) in [(ReadingOrder.Reading.first, 1), (.throughout, 0)] {
        var lead = 0
        for pixel in firsts.indices {
          for later in firsts.indices.dropFirst(pixel + isReadAgain) {
            lead = max(lead, (pixel + 1) * outputDepth - firsts[later])
          }
        }
        #expect(order.lead(reading) == lead, "\(window) \(depth) \(outputDepth)")
      }
    }
  }
}
