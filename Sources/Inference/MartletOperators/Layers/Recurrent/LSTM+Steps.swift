//===--- LSTM+Steps.swift - batched input products ------------------------===//
//
// The inputs of all steps are known from the start. So their part of the gates' sums is computed
// for several steps at once, which reads the weights only once. The number of steps depends on the
// memory for their sums.
//
// Contract  A sum does not depend on how many steps are computed at once.
//===----------------------------------------------------------------------===//

import MartletReference

/// The steps of a layer in groups of equal size; the last group may repeat steps of the one before.
struct LSTMSteps {
  /// The maximum size of a group's sums in bytes, unless one step alone needs more.
  static let limit = 16 << 10

  private let layout: SequenceLayout
  /// A group as a separate sequence.
  private let group: SequenceLayout

  init(_ cell: LSTMCell) {
    layout = cell.layout
    var group = cell.layout
    // A row's sums and its widened elements.
    let rowBytes = cell.gateLength * 4 + cell.inputs * 2
    let fitting = LSTMSteps.limit / max(rowBytes, 1) / max(cell.batches, 1)
    group.steps = min(max(fitting, 1), cell.steps)
    self.group = group
  }

  /// The number of rows in a group.
  var rows: Int { group.rows }
  /// The number of a group's rows that are contiguous in the layer's input.
  var runRows: Int { layout.isTimeMajor ? group.rows : group.steps }

  /// The index of the row of `batch` at `step` in its group.
  func row(_ batch: Int, at step: Int) -> Int { group.row(batch, at: step - first(of: step)) }

  private func first(of step: Int) -> Int {
    min(step / group.steps * group.steps, layout.steps - group.steps)
  }

  /// Before the first step of a group, calls `body` with the first row of each contiguous run, in
  /// the layer's input and in the group.
  func forEachRun(beginningAt step: Int, _ body: (_ source: Int, _ row: Int) -> Void) {
    guard step % group.steps == 0 else { return }
    let earliest = layout.isReversed ? group.steps - 1 : 0
    for batch in 0..<(layout.isTimeMajor ? 1 : layout.batches) {
      body(layout.row(batch, at: first(of: step) + earliest), group.row(batch, at: earliest))
    }
  }
}
