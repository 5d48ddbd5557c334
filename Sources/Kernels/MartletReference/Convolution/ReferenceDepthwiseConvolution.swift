//===--- ReferenceDepthwiseConvolution.swift - depthwise convolution ------===//
//
// y[p, c·m + k] = clamp(Σ over taps t of x[p + t, c] · w[t, c·m + k] + bias[c·m + k])
//
// Contract  TFLite DEPTHWISE_CONV_2D with depth multiplier m. Filters are HWC. Borders count as the
//           input's zero point: they are skipped. `WeightedSums.swift` converts the sums.
// Order     A sum runs over taps row by row.
// Cost      outputs · taps.
//===----------------------------------------------------------------------===//

import MartletBase

extension DepthwiseConvolution: WeightedSums {
  @export(implementation)
  package var rowCount: Int { window.outputCount }

  @export(implementation)
  package var rowWork: Int {
    window.rows.filter &* window.columns.filter &* outputDepth
  }

  @export(implementation) @inline(__always)
  package func forEachSum<Sum: Numeric>(
    in rows: Range<Int>, _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ channel: Int) -> Void
  ) {
    let depth = outputDepth
    for output in rows {
      for channel in 0..<depth {
        var sum: Sum = 0
        window.forEachTap(ofOutput: output) { pixel, tap in
          accumulate(
            &sum, pixel &* inputDepth &+ channel / multiplier, tap &* depth &+ channel)
        }
        finish(sum, output &* depth &+ channel, channel)
      }
    }
  }
}
