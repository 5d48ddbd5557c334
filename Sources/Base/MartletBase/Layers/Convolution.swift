//===--- Convolution.swift - extents of a convolution ---------------------===//
//
// Contract  TFLite CONV_2D. If filters have fewer channels than the image, the image's channels
//           form groups, each seen by an equal part of the filters. Filters are OHWI.
//===----------------------------------------------------------------------===//

/// The extents of a convolution.
@usableFromInline
package struct Convolution: Sendable {
  @usableFromInline
  package let window: SlidingWindow
  /// The numbers of channels of the image and of a filter, and the number of filters.
  @usableFromInline
  package let inputDepth: Int
  @usableFromInline
  package let filterDepth: Int
  @usableFromInline
  package let outputDepth: Int

  package init(window: SlidingWindow, inputDepth: Int, filterDepth: Int, outputDepth: Int) {
    self.window = window
    self.inputDepth = inputDepth
    self.filterDepth = filterDepth
    self.outputDepth = outputDepth
  }

  /// The number of weights of all filters.
  package var weightCount: Int {
    window.rows.filter * window.columns.filter * filterDepth * outputDepth
  }

  /// The number of filters that share a group of the image's channels.
  @export(implementation)
  package var filtersPerGroup: Int { outputDepth / Swift.max(inputDepth / filterDepth, 1) }
}
