//===--- TransposeConvolution.swift - extents of the layer ----------------===//
//
// Contract  TFLite TRANSPOSE_CONV. Filters are OHWI. The window is that of the convolution from the
//           output to the input.
//===----------------------------------------------------------------------===//

/// The extents of a transposed convolution.
@usableFromInline
package struct TransposeConvolution: Sendable {
  /// The window from the output, as its image, to the input.
  @usableFromInline
  package let window: SlidingWindow
  /// The input's rows and columns; they may differ from those of the window.
  @usableFromInline
  package let inputRows: Int
  @usableFromInline
  package let inputColumns: Int
  @usableFromInline
  package let inputDepth: Int
  @usableFromInline
  package let outputDepth: Int

  package init(
    window: SlidingWindow, inputRows: Int, inputColumns: Int, inputDepth: Int, outputDepth: Int
  ) {
    self.window = window
    self.inputRows = inputRows
    self.inputColumns = inputColumns
    self.inputDepth = inputDepth
    self.outputDepth = outputDepth
  }
}
