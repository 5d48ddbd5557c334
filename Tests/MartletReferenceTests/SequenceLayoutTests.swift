import Testing

@testable import MartletReference

@Suite struct SequenceLayoutTests {
  struct Case: Sendable {
    let isTimeMajor: Bool
    let isReversed: Bool
    /// The rows of batches 0 and 1, step by step.
    let rows: [[Int]]
  }

  @Test(arguments: [
    Case(isTimeMajor: true, isReversed: false, rows: [[0, 2, 4], [1, 3, 5]]),
    Case(isTimeMajor: true, isReversed: true, rows: [[4, 2, 0], [5, 3, 1]]),
    Case(isTimeMajor: false, isReversed: false, rows: [[0, 1, 2], [3, 4, 5]]),
    Case(isTimeMajor: false, isReversed: true, rows: [[2, 1, 0], [5, 4, 3]]),
  ])
  func ordersRowsByTimeOrByBatch(_ test: Case) {
    let layout = SequenceLayout(
      batches: 2, steps: 3, isTimeMajor: test.isTimeMajor, isReversed: test.isReversed)
    #expect(layout.rows == 6)
    #expect((0..<2).map { batch in (0..<3).map { layout.row(batch, at: $0) } } == test.rows)
  }
}
