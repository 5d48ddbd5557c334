//===--- Convolution+Depthwise.swift - few channels as a convolution ------===//
//
// A depthwise convolution that makes many channels of each of a few is a convolution whose filters
// are zero for all channels but their own: a product of matrices, which is quicker by far than what
// it wastes. Of one channel it wastes nothing.
//
// Contract  Sums are those of the depthwise convolution: zeros are added to them, taps in the same
//           order. Inputs are finite.
// Checked   Tests/MartletKernelsTests/DepthwiseAsConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletReference
import MartletTensor

extension Convolution {
  /// The most channels of an image for which this is worth it.
  private static let maximumDepth = 4

  /// The convolution that computes the same, or `nil` if it would take longer.
  package init?(_ depthwise: DepthwiseConvolution) {
    let depth = depthwise.inputDepth
    guard (1...Convolution.maximumDepth).contains(depth), depthwise.multiplier > 1 else {
      return nil
    }
    self.init(
      window: depthwise.window, inputDepth: depth, filterDepth: depth,
      outputDepth: depthwise.outputDepth)
  }

  /// The filters, OHWI, of depthwise weights, HWO.
  @inlinable
  package func filters<Weight: Numeric>(ofDepthwise weights: [Weight]) -> [Weight] {
    let taps = window.rows.filter * window.columns.filter
    var filters = [Weight](repeating: 0, count: outputDepth * taps * inputDepth)
    let multiplier = outputDepth / inputDepth
    for channel in 0..<outputDepth {
      for tap in 0..<taps {
        let place = (channel * taps + tap) * inputDepth + channel / multiplier
        filters[place] = weights[tap * outputDepth + channel]
      }
    }
    return filters
  }
}
