import MartletTestSupport
import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct ArgMaxTests {
  @Test func tiesGoToTheLowerIndex() {
    let best = filled(2, with: Int64(-1)) { y in
      withBuffer([1, 5, 5, 0, 7, 7, 7, 2] as [Float]) {
        Reference.bestIndex($0, extent: 4, inner: 1, isMaximum: true, into: y)
      }
    }
    #expect(best == [1, 0])
  }

  @Test func stepsOverInnerAxes() {
    let least = filled(2, with: Int32(-1)) { y in
      withBuffer([Int8(3), 9, 1, 8, 2, 7]) {
        Reference.bestIndex($0, extent: 3, inner: 2, isMaximum: false, into: y)
      }
    }
    #expect(least == [1, 2])
  }

  static let nan = Float.nan
  static let inf = Float.infinity

  // The results are those of LiteRT 2.3.0 (all kernel sets) and TensorFlow.
  static let rows: [([Float], Int32, Int32)] = [
    ([nan, 1, 2], 2, 1), ([1, nan, 2], 2, 0), ([nan, nan, nan], 0, 0), ([nan, inf, -inf], 1, 2),
    ([nan, -inf, -inf], 1, 1), ([-inf, nan, -inf], 0, 0), ([2, 1, nan], 0, 1),
  ]

  @Test(arguments: rows)
  func everyNumberIsBetterThanNaN(_ row: [Float], _ largest: Int32, _ smallest: Int32) {
    for (isMaximum, expected) in [(true, largest), (false, smallest)] {
      // The same elements along the last axis, and along one before it.
      for inner in [1, 3] {
        let x = row.flatMap { [Float](repeating: $0, count: inner) }
        let best = filled(inner, with: Int32(-1)) { y in
          withBuffer(x) {
            Reference.bestIndex($0, extent: 3, inner: inner, isMaximum: isMaximum, into: y)
          }
        }
        #expect(best == [Int32](repeating: expected, count: inner))
      }
    }
  }

  // Enough rows for every worker. Chunks run from last to first.
  @Test func rowsAreSplitAmongWorkers() {
    let workers = Workers(count: 3) { chunks, body in
      for chunk in (0..<chunks).reversed() { body(chunk) }
    }
    let rows = 40_000
    let input = (0..<rows).flatMap { row in (0..<4).map { UInt8($0 == row * 7 % 4 ? 9 : $0) } }
    let best = filled(rows, with: Int32(-1)) { y in
      withBuffer(input) {
        Reference.bestIndex($0, extent: 4, inner: 1, isMaximum: true, into: y, workers: workers)
      }
    }
    #expect(best == (0..<rows).map { Int32($0 * 7 % 4) })
  }
}
