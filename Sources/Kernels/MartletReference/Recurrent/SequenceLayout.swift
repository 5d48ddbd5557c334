//===--- SequenceLayout.swift - rows of a sequence, by batch and step -----===//
//
// Contract  Steps count in the order of the layer; a backward layer starts at the end.
//===----------------------------------------------------------------------===//

/// The positions of a sequence's rows and the order in which a recurrent layer reads them.
package struct SequenceLayout: Sendable {
  package var batches: Int
  package var steps = 1
  /// Whether the rows of one step are consecutive; otherwise those of one batch are.
  package var isTimeMajor = true
  /// Whether the layer starts with the last step.
  package var isReversed = false

  package init(batches: Int, steps: Int = 1, isTimeMajor: Bool = true, isReversed: Bool = false) {
    self.batches = batches
    self.steps = steps
    self.isTimeMajor = isTimeMajor
    self.isReversed = isReversed
  }

  /// The number of rows.
  package var rows: Int { batches * steps }

  /// The row of `batch` at `step`.
  package func row(_ batch: Int, at step: Int) -> Int {
    let time = isReversed ? steps - 1 - step : step
    return isTimeMajor ? time * batches + batch : batch * steps + time
  }
}
