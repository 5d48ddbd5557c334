//===--- Float32TransposeConvolution.swift - convolution backwards --------===//
//
// What each input pixel adds at each tap is one product of matrices, pixels by taps and channels; then
// each output row sums up its part, tap by tap (`TransposeSums`).
//
// Contract  As `Reference.convolve`. Inputs are finite.
// Order     The bias, then what input pixels add, row by row; what a pixel adds at a tap is summed
//           over channels as in `Float32Convolution`. No split changes a bit.
// Cost      input pixels · taps · channels · filters, and scratch memory for input pixels · taps ·
//           filters. No allocation.
// Checked   Tests/MartletKernelsTests/Float32TransposeConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletReference
import MartletRuntime

/// A transposed convolution of float images whose weights are packed.
package struct Float32TransposeConvolution: Sendable {
  private let sums: TransposeSums
  private let product: Float32Convolution

  /// Packs the weights, OHWI; an empty bias is zero. `nil` if the product would be too large.
  package init?(
    _ convolution: TransposeConvolution, filter: UnsafeBufferPointer<Float>,
    bias: UnsafeBufferPointer<Float>, clampedTo range: ClosedRange<Float>, workers: Int,
    kernels: Microkernels = .current
  ) {
    guard let sums = TransposeSums(convolution, bias: bias, clampedTo: range) else { return nil }
    self.sums = sums
    product = sums.filters(filter).withUnsafeBufferPointer { weights in
      Float32Convolution(
        sums.product, filter: weights, bias: UnsafeBufferPointer(start: nil, count: 0),
        clampedTo: -Float.infinity...Float.infinity, workers: workers, kernels: kernels)
    }
  }

  /// The number of elements of scratch memory that a call needs.
  package var scratchCount: Int { sums.count }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, scratch: UnsafeMutableBufferPointer<Float>,
    into output: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    // The product's windows are pixels: it needs no scratch memory of its own.
    product(
      input, scratch: UnsafeMutableBufferPointer(start: nil, count: 0), into: scratch,
      workers: workers)
    sums(scratch, into: output, workers: workers)
  }
}
