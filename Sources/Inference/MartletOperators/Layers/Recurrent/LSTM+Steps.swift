//===--- LSTM+Steps.swift - batched input products ------------------------===//
//
// The inputs of all steps are there from the start, so their part of the gates' sums can be computed
// for several steps at once, which reads the weights once for all of them. How many depends on the
// memory that their sums take.
//
// Contract  A sum does not depend on how many are computed at once.
// Checked   Tests/MartletInferenceTests/LSTMStepsTests.swift, operator cases
//===----------------------------------------------------------------------===//

import MartletReference

/// The steps of a layer in groups of the same size; the last may take some of the one before again.
struct LSTMSteps {
  /// What the sums of a group may take in bytes, unless those of one step take more.
  static let limit = 16 << 10

  private let layout: SequenceLayout
  /// A group as a sequence of its own.
  private let group: SequenceLayout

  init(_ cell: LSTMCell) {
    layout = cell.layout
    var group = cell.layout
    // A row's sums, and its elements widened.
    let rowBytes = cell.gateLength * 4 + cell.inputs * 2
    let fitting = LSTMSteps.limit / max(rowBytes, 1) / max(cell.batches, 1)
    group.steps = min(max(fitting, 1), cell.steps)
    self.group = group
  }

  /// The rows of a group.
  var rows: Int { group.rows }
  /// How many of them lie one after the other in the layer's input.
  var runRows: Int { layout.isTimeMajor ? group.rows : group.steps }

  /// Where the row of `batch` at `step` is among those of its group.
  func row(_ batch: Int, at step: Int) -> Int { group.row(batch, at: step - first(of: step)) }

  private func first(of step: Int) -> Int {
    min(step / group.steps * group.steps, layout.steps - group.steps)
  }

  /// Before the first step of a group, calls `body` with the first row of each run of it, in the
  /// layer's input and in the group.
  func forEachRun(beginningAt step: Int, _ body: (_ source: Int, _ row: Int) -> Void) {
    guard step % group.steps == 0 else { return }
    let earliest = layout.isReversed ? group.steps - 1 : 0
    for batch in 0..<(layout.isTimeMajor ? 1 : layout.batches) {
      body(layout.row(batch, at: first(of: step) + earliest), group.row(batch, at: earliest))
    }
  }
}
