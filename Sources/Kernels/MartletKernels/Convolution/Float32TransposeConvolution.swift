//===--- Float32TransposeConvolution.swift - transposed float convolution -===//
//
// One matrix product, pixels by taps and channels, computes what each input pixel adds at each tap.
// Then each output row adds up its terms, tap by tap (`TransposeSums`).
//
// Contract  As `Reference.convolve`. Inputs are finite.
// Order     The bias, then the terms of the input pixels, row by row. Each term is summed over
//           channels as in `Float32Convolution`. Results do not depend on how the work is split.
// Cost      input pixels · taps · channels · filters, and scratch memory for input pixels · taps ·
//           filters. No allocation.
//===----------------------------------------------------------------------===//

import MartletBase

/// A transposed convolution of float images with packed weights.
package struct Float32TransposeConvolution: Sendable {
  private let sums: TransposeSums
  private let product: Float32Convolution

  /// Packs the weights, OHWI; an empty bias is zero. Returns `nil` if the product would be too
  /// large.
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
    // The windows of the product are pixels, so it needs no scratch memory.
    product(
      input, scratch: UnsafeMutableBufferPointer(start: nil, count: 0), into: scratch,
      workers: workers)
    sums(scratch, into: output, workers: workers)
  }
}
