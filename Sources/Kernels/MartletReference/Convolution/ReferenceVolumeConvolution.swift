//===--- ReferenceVolumeConvolution.swift - three-dimensional convolution -===//
//
// y[p, o] = clamp(Σ over taps t and channels i of x[p + t, i] · w[t, i, o] + bias[o])
//
// Contract  TFLite CONV_3D. Images are NDHWC, filters DHWIO: the output channel is the innermost.
//           Borders count as zero: they are skipped. `WeightedSums.swift` converts the sums.
// Order     A sum runs over taps in memory order, channels innermost.
// Cost      outputs · taps · channels.
//===----------------------------------------------------------------------===//

import MartletBase

extension VolumeConvolution: WeightedSums {
  @export(implementation)
  package var rowCount: Int { window.outputCount }

  @export(implementation)
  package var rowWork: Int {
    window.tapCount &* inputDepth &* outputDepth
  }

  @export(implementation) @inline(__always)
  package func forEachSum<Sum: Numeric>(
    in rows: Range<Int>, _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ channel: Int) -> Void
  ) {
    for output in rows {
      for channel in 0..<outputDepth {
        var sum: Sum = 0
        window.forEachTap(ofOutput: output) { voxel, tap in
          for i in 0..<inputDepth {
            accumulate(
              &sum, voxel &* inputDepth &+ i,
              (tap &* inputDepth &+ i) &* outputDepth &+ channel)
          }
        }
        finish(sum, output &* outputDepth &+ channel, channel)
      }
    }
  }
}
