import MartletReference
import Testing

@testable import MartletOperators
@testable import MartletInference

@Suite struct LSTMStepsTests {
  struct Case: Sendable {
    let batches: Int
    let steps: Int
    let inputs: Int
    let cells: Int
    let isTimeMajor: Bool
  }

  static let cases = [
    Case(batches: 1, steps: 49, inputs: 257, cells: 80, isTimeMajor: false),
    Case(batches: 3, steps: 20, inputs: 100, cells: 60, isTimeMajor: false),
    Case(batches: 3, steps: 20, inputs: 100, cells: 60, isTimeMajor: true),
    Case(batches: 2, steps: 5, inputs: 4, cells: 3000, isTimeMajor: true),
    Case(batches: 2, steps: 1, inputs: 4, cells: 3, isTimeMajor: true),
    Case(batches: 2, steps: 7, inputs: 4, cells: 3, isTimeMajor: false),
  ]

  /// Copies rows in the order in which a layer multiplies them, and checks each step's row.
  @Test(arguments: cases, [false, true])
  func everyStepReadsItsOwnRow(_ test: Case, isReversed: Bool) {
    var cell = LSTMCell(
      batches: test.batches, inputs: test.inputs, cells: test.cells, outputs: test.cells)
    cell.layout.steps = test.steps
    cell.layout.isTimeMajor = test.isTimeMajor
    cell.layout.isReversed = isReversed
    let steps = LSTMSteps(cell)
    #expect(
      steps.rows * (test.cells * 16 + test.inputs * 2)
        <= max(
          LSTMSteps.limit, test.batches * (test.cells * 16 + test.inputs * 2)))
    var group = [Int](repeating: -1, count: steps.rows)
    for step in 0..<test.steps {
      steps.forEachRun(beginningAt: step) { source, row in
        for i in 0..<steps.runRows { group[row + i] = source + i }
      }
      for batch in 0..<test.batches {
        let time = isReversed ? test.steps - 1 - step : step
        let expected = test.isTimeMajor ? time * test.batches + batch : batch * test.steps + time
        #expect(group[steps.row(batch, at: step)] == expected)
      }
    }
  }
}
