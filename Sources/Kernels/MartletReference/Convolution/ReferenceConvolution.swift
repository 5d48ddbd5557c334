//===--- ReferenceConvolution.swift - two-dimensional convolution ---------===//
//
// y[p, o] = clamp(Σ over taps t and channels i of x[p + t, g(o) + i] · w[o, t, i] + bias[o])
//
// Contract  TFLite CONV_2D. If filters have fewer channels than the image, the image's channels
//           form groups, each seen by an equal part of the filters. Filters are OHWI. Borders count
//           as the input's zero point: they are skipped. `WeightedSums.swift` converts the sums.
//           Order     A sum runs over taps row by row, channels innermost.
// Cost      outputs · taps · channels of a group.
//===----------------------------------------------------------------------===//

import MartletBase

extension Convolution: WeightedSums {
  @export(implementation)
  package var rowCount: Int { window.outputCount }

  @export(implementation)
  package var rowWork: Int {
    window.rows.filter &* window.columns.filter &* filterDepth &* outputDepth
  }

  @export(implementation) @inline(__always)
  package func forEachSum<Sum: Numeric>(
    in rows: Range<Int>, _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ channel: Int) -> Void
  ) {
    let taps = window.rows.filter &* window.columns.filter
    for output in rows {
      for channel in 0..<outputDepth {
        let group = channel / filtersPerGroup &* filterDepth
        var sum: Sum = 0
        window.forEachTap(ofOutput: output) { pixel, tap in
          let input = pixel &* inputDepth &+ group
          let weight = (channel &* taps &+ tap) &* filterDepth
          for i in 0..<filterDepth { accumulate(&sum, input &+ i, weight &+ i) }
        }
        finish(sum, output &* outputDepth &+ channel, channel)
      }
    }
  }
}
