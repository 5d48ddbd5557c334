//===--- ReferenceTransposeConvolution.swift - transposed convolution -----===//
//
// The filter is placed at each input pixel, weighted by it, and overlapping products are summed.
// The window is that of the convolution from the output to the input.
//
// Contract  TFLite TRANSPOSE_CONV. Filters are OHWI. `WeightedSums.swift` converts the sums.
// Order     A sum runs over input pixels row by row, channels innermost, as in LiteRT.
// Cost      outputs · taps · channels; the stride skips most of them.
//===----------------------------------------------------------------------===//

import MartletBase

extension TransposeConvolution: WeightedSums {
  /// Calls `body` for each input pixel that contributes to an output pixel, in memory order, with
  /// its index and the index of the tap.
  @export(implementation) @inline(__always)
  func forEachSource(ofOutput index: Int, _ body: (_ pixel: Int, _ tap: Int) -> Void) {
    let rows = window.rows
    let columns = window.columns
    let line = index / columns.input
    let image = line / rows.input
    let row = line % rows.input &+ rows.border
    let column = index % columns.input &+ columns.border
    for tapRow in stride(from: rows.filter &- 1, through: 0, by: -1) {
      let y = row &- tapRow
      guard y >= 0, y % rows.stride == 0, y / rows.stride < inputRows else { continue }
      for tapColumn in stride(from: columns.filter &- 1, through: 0, by: -1) {
        let x = column &- tapColumn
        guard x >= 0, x % columns.stride == 0, x / columns.stride < inputColumns else { continue }
        body(
          (image &* inputRows &+ y / rows.stride) &* inputColumns &+ x / columns.stride,
          tapRow &* columns.filter &+ tapColumn)
      }
    }
  }

  @export(implementation)
  package var rowCount: Int { window.batches &* window.rows.input &* window.columns.input }

  @export(implementation)
  package var rowWork: Int {
    window.rows.filter &* window.columns.filter &* inputDepth &* outputDepth
  }

  @export(implementation) @inline(__always)
  package func forEachSum<Sum: Numeric>(
    in rows: Range<Int>, _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ channel: Int) -> Void
  ) {
    let taps = window.rows.filter &* window.columns.filter
    for output in rows {
      for channel in 0..<outputDepth {
        var sum: Sum = 0
        forEachSource(ofOutput: output) { pixel, tap in
          let input = pixel &* inputDepth
          let weight = (channel &* taps &+ tap) &* inputDepth
          for i in 0..<inputDepth { accumulate(&sum, input &+ i, weight &+ i) }
        }
        finish(sum, output &* outputDepth &+ channel, channel)
      }
    }
  }
}
