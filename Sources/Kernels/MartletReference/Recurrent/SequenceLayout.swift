//===--- SequenceLayout.swift - rows of a sequence, by batch and step -----===//
//
// Contract  A step is the one that a layer makes; a layer that goes backwards begins at the end.
// Checked   Tests/MartletReferenceTests/SequenceLayoutTests.swift
//===----------------------------------------------------------------------===//

/// Where the rows of a sequence lie, and in what order a recurrent layer takes them.
package struct SequenceLayout: Sendable {
  package var batches: Int
  package var steps = 1
  /// Whether the rows of one step lie beside each other; else those of one batch do.
  package var isTimeMajor = true
  /// Whether the layer begins with the last step.
  package var isReversed = false

  package init(batches: Int, steps: Int = 1, isTimeMajor: Bool = true, isReversed: Bool = false) {
    self.batches = batches
    self.steps = steps
    self.isTimeMajor = isTimeMajor
    self.isReversed = isReversed
  }

  /// The number of rows.
  package var rows: Int { batches * steps }

  /// The row that belongs to `batch` at `step`.
  package func row(_ batch: Int, at step: Int) -> Int {
    let time = isReversed ? steps - 1 - step : step
    return isTimeMajor ? time * batches + batch : batch * steps + time
  }
}
