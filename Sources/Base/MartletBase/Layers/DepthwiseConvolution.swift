//===--- DepthwiseConvolution.swift - extents of the layer ----------------===//
//
// Contract  TFLite DEPTHWISE_CONV_2D. Filters are HWC.
//===----------------------------------------------------------------------===//

/// The extents of a depthwise convolution.
@usableFromInline
package struct DepthwiseConvolution: Sendable {
  @usableFromInline
  package let window: SlidingWindow
  @usableFromInline
  package let inputDepth: Int
  /// The number of outputs for each channel of the image.
  @usableFromInline
  package let multiplier: Int

  package init(window: SlidingWindow, inputDepth: Int, multiplier: Int) {
    self.window = window
    self.inputDepth = inputDepth
    self.multiplier = multiplier
  }

  @export(implementation)
  package var outputDepth: Int { inputDepth &* multiplier }
}
