//===--- Convolution+Depthwise.swift - shallow depthwise layers -----------===//
//
// A depthwise convolution with few input channels and many output channels is computed as a
// convolution whose filters are zero for all other channels. The matrix product is much faster,
// even though it multiplies zeros. With one input channel there are no such zeros.
//
// Contract  The sums equal those of the depthwise convolution: zeros are added, and taps keep their
//           order. Inputs are finite.
//===----------------------------------------------------------------------===//

import MartletBase

extension Convolution {
  /// The most input channels for which this is faster.
  private static let maximumDepth = 4

  /// Creates the equivalent convolution, or returns `nil` if it would be slower.
  package init?(_ depthwise: DepthwiseConvolution) {
    let depth = depthwise.inputDepth
    guard (1...Convolution.maximumDepth).contains(depth), depthwise.multiplier > 1 else {
      return nil
    }
    self.init(
      window: depthwise.window, inputDepth: depth, filterDepth: depth,
      outputDepth: depthwise.outputDepth)
  }

  /// Converts depthwise weights, HWO, to filters, OHWI; `zero` is the weight of other channels.
  @inlinable
  package func filters<Weight>(
    ofDepthwise weights: UnsafeBufferPointer<Weight>, zero: Weight
  ) -> [Weight] {
    let taps = window.rows.filter * window.columns.filter
    var filters = [Weight](repeating: zero, count: outputDepth * taps * inputDepth)
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
