//===--- QuantizedConvolution.swift - convolution of bytes ----------------===//
//
// On bytes as they are where the processor multiplies those, else on pairs of 16-bit integers.
//
// Contract  Bit for bit `Reference.convolve`, for filters as deep as the image.
// Cost      outputs · taps · channels; no allocation.
// Checked   Tests/MartletKernelsTests/QuantizedConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletReference
import MartletRuntime
import MartletTensor

/// A convolution of byte images whose weights are packed.
///
/// Indirect: of the plain enum, held by a closure of another module, Swift 6.3.1's optimised code
/// releases memory that nobody wrote (`.ci/check-counts` runs networks under valgrind).
package indirect enum QuantizedConvolution: Sendable {
  case bytes(Int8Convolution)
  case pairs(Int16Convolution)

  /// Packs the weights, OHWI with their zero points taken off; an empty bias is zero.
  ///
  /// - Precondition: the filters are as deep as the image, and no weight is beyond ±255.
  package init(
    _ convolution: Convolution, zero: ByteZeroPoint, filter: [Int16],
    bias: UnsafeBufferPointer<Int32>, requantizer: Requantizer, workers: Int,
    kernels: Microkernels = .current
  ) {
    precondition(convolution.filterDepth == convolution.inputDepth)
    if let bytes = Int8Convolution(
      convolution, zero: zero, filter: filter, bias: bias, requantizer: requantizer,
      workers: workers, kernels: kernels)
    {
      self = .bytes(bytes)
    } else {
      self = .pairs(
        Int16Convolution(
          convolution, zero: zero, filter: filter, bias: bias, requantizer: requantizer,
          workers: workers, kernels: kernels))
    }
  }

  /// The number of 32-bit elements of scratch memory that a call needs.
  package var scratchCount: Int {
    switch self {
    case .bytes(let convolution): convolution.scratchCount
    case .pairs(let convolution): convolution.scratchCount
    }
  }

  /// Convolves. Input and output are the bytes of the image and of the result.
  package func callAsFunction(
    _ input: UnsafeMutableRawBufferPointer, scratch: UnsafeMutableBufferPointer<Int32>,
    into output: UnsafeMutableRawBufferPointer, workers: Workers
  ) {
    switch self {
    case .bytes(let convolve): convolve(input, scratch: scratch, into: output, workers: workers)
    case .pairs(let convolve): convolve(input, scratch: scratch, into: output, workers: workers)
    }
  }
}
