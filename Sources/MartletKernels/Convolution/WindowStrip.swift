//===--- WindowStrip.swift - outputs that see the same taps ---------------===//
//
// The outputs of a sliding window, cut into strips: within the image along its rows; the columns at
// its left and right border, where taps are missing, downwards, so that they too come in numbers.
//
// Checked   Tests/MartletKernelsTests/WindowStripTests.swift
//===----------------------------------------------------------------------===//

import MartletTensor

/// Outputs, beside each other or below each other, that see the same taps.
struct WindowStrip {
  let tapRows: Range<Int>
  let tapColumns: Range<Int>
  let count: Int
  /// The pixel under the first tap of the first output, and the distance to that of the next.
  let input: Int
  let inputStep: Int
  /// The first output's pixel, and the distance to the next.
  let output: Int
  let outputStep: Int
}

extension SlidingWindow {
  /// The rows of the outputs of all images.
  var lineCount: Int { batches * rows.output }

  /// Calls `body` with strips that together cover the outputs of some lines once.
  @inline(__always)
  func forEachStrip(ofLines lines: Range<Int>, _ body: (WindowStrip) -> Void) {
    let (innerRows, inner) = (rows.interior, columns.interior)
    var line = lines.lowerBound
    while line < lines.upperBound {
      let (image, first) = line.quotientAndRemainder(dividingBy: rows.output)
      let end = min(rows.output, first + lines.upperBound - line)
      let whole = innerRows.clamped(to: first..<end)
      for phase in 0..<min(rows.phases, end - first) {
        for row in stride(from: first + phase, to: end, by: rows.phases) {
          forEachInnerStrip(image, row, inner, body)
        }
      }
      for column in 0..<columns.output where !inner.contains(column) {
        if !whole.isEmpty {
          body(
            strip(
              whole.count, image, whole.lowerBound, column,
              inputStep: rows.stride &* columns.input, outputStep: columns.output))
        }
        for row in first..<end where !whole.contains(row) {
          body(strip(1, image, row, column, inputStep: 0, outputStep: 0))
        }
      }
      line += end - first
    }
  }

  /// Calls `body` with strips of those outputs of a row that see all columns of taps.
  @inline(__always)
  private func forEachInnerStrip(
    _ image: Int, _ row: Int, _ inner: Range<Int>, _ body: (WindowStrip) -> Void
  ) {
    for phase in 0..<min(columns.phases, inner.count) {
      body(
        strip(
          (inner.count &- phase &+ columns.phases &- 1) / columns.phases, image, row,
          inner.lowerBound &+ phase, inputStep: columns.stride &* columns.phases,
          outputStep: columns.phases))
    }
  }

  private func strip(
    _ count: Int, _ image: Int, _ row: Int, _ column: Int, inputStep: Int, outputStep: Int
  ) -> WindowStrip {
    let top = rows.origin(of: row)
    let left = columns.origin(of: column)
    let tapRows = rows.taps(from: top)
    let tapColumns = columns.taps(from: left)
    let inputRow = image &* rows.input &+ top &+ tapRows.lowerBound &* rows.dilation
    return WindowStrip(
      tapRows: tapRows, tapColumns: tapColumns, count: count,
      input: inputRow &* columns.input &+ left &+ tapColumns.lowerBound &* columns.dilation,
      inputStep: inputStep,
      output: (image &* rows.output &+ row) &* columns.output &+ column,
      outputStep: outputStep)
  }
}

extension WindowAxis {
  /// How far apart those outputs are that are computed one after the other: where taps have gaps between
  /// them, outputs as far apart see the same pixels.
  fileprivate var phases: Int { stride == 1 ? dilation : 1 }
}
