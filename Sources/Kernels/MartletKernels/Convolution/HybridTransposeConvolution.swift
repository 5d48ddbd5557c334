//===--- HybridTransposeConvolution.swift - transposed hybrid convolution -===//
//
// A transposed convolution of float images with byte weights: a hybrid product of pixels by taps
// and channels (`HybridConvolution`), whose floats are added up tap by tap (`TransposeSums`).
//
// Contract  As `Reference.convolve`, except that sums over taps are rounded, as in LiteRT.
// Cost      input pixels · taps · channels · filters, and scratch memory for input pixels · taps ·
//           filters. No allocation.
//===----------------------------------------------------------------------===//

import MartletBase

/// A transposed convolution of float images with packed byte weights. First `product` runs on the
/// input, then `sums` on its result.
package struct HybridTransposeConvolution: Sendable {
  package let product: HybridConvolution
  package let sums: TransposeSums

  /// Packs the weights, OHWI, with one factor per output channel; an empty bias is zero. Each image
  /// has its own scale and zero point. Returns `nil` if the product would be too large.
  package init?(
    _ convolution: TransposeConvolution, filter: UnsafeBufferPointer<Int8>, factors: [Float],
    bias: UnsafeBufferPointer<Float>, clampedTo range: ClosedRange<Float>, workers: Int,
    kernels: Microkernels = .current
  ) {
    guard let sums = TransposeSums(convolution, bias: bias, clampedTo: range) else { return nil }
    self.sums = sums
    product = sums.filters(filter).withUnsafeBufferPointer {
      HybridConvolution(
        sums.product, images: convolution.window.batches, isAsymmetric: true,
        filter: ByteWeights($0, offset: 0),
        factors: (0..<sums.product.outputDepth).map { factors[$0 % factors.count] },
        factorsFirst: true, bias: UnsafeBufferPointer(start: nil, count: 0),
        clampedTo: -Float.infinity...Float.infinity, workers: workers, kernels: kernels)
    }
  }
}
