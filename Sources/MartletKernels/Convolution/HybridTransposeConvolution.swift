//===--- HybridTransposeConvolution.swift - backwards, floats by bytes ----===//
//
// A transposed convolution of float images whose weights are bytes: a hybrid product of pixels by taps
// and channels (`HybridConvolution`), whose floats are summed up tap by tap (`TransposeSums`).
//
// Contract  As `Reference.convolve`, but that sums over taps are rounded, as LiteRT's are.
// Cost      input pixels · taps · channels · filters, and scratch memory for input pixels · taps ·
//           filters. No allocation.
// Checked   Tests/MartletKernelsTests/HybridTransposeConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletReference
import MartletTensor

/// A transposed convolution of float images whose weights are packed bytes. The product runs first,
/// on the input; the sums take what it gives.
package struct HybridTransposeConvolution: Sendable {
  package let product: HybridConvolution
  package let sums: TransposeSums

  /// Packs the weights, OHWI, which have a factor for each output channel; an empty bias is zero.
  /// Each image has a scale and a zero point of its own. `nil` if the product would be too large.
  package init?(
    _ convolution: TransposeConvolution, filter: UnsafeBufferPointer<Int8>, factors: [Float],
    bias: UnsafeBufferPointer<Float>, clampedTo range: ClosedRange<Float>, workers: Int,
    kernels: Microkernels = .current
  ) {
    guard let sums = TransposeSums(convolution, bias: bias, clampedTo: range) else { return nil }
    self.sums = sums
    product = HybridConvolution(
      sums.product, images: convolution.window.batches, isAsymmetric: true,
      filter: sums.filters(filter).map { Int16($0) },
      factors: (0..<sums.product.outputDepth).map { factors[$0 % factors.count] },
      factorsFirst: true, bias: UnsafeBufferPointer(start: nil, count: 0),
      clampedTo: -Float.infinity...Float.infinity, workers: workers, kernels: kernels)
  }
}
