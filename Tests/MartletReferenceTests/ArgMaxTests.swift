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
