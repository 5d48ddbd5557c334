//===--- WindowStrip.swift - strips of equal windows ----------------------===//
//
// Divides the outputs of a sliding window into strips that use the same taps. Within the image,
// strips run along rows. At the left and right border, where taps are missing, they run down
// columns, so that those strips are long too.
//===----------------------------------------------------------------------===//

import MartletBase

/// Outputs next to or below each other that use the same taps.
struct WindowStrip {
  let tapRows: Range<Int>
  let tapColumns: Range<Int>
  let count: Int
  /// The pixel under the first tap of the first output, and the distance to that of the next
  /// output.
  let input: Int
  let inputStep: Int
  /// The first output's pixel, and the distance to the next.
  let output: Int
  let outputStep: Int
}

extension SlidingWindow {
  /// The rows of the outputs of all images.
  var lineCount: Int { batches * rows.output }

  /// Calls `body` with strips that together cover the outputs of `lines` exactly once.
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

  /// Calls `body` with strips of the outputs of a row that use all columns of taps.
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
  /// The distance between outputs that are computed consecutively. With dilated taps, outputs at
  /// this distance read the same pixels.
  fileprivate var phases: Int { stride == 1 ? dilation : 1 }
}
