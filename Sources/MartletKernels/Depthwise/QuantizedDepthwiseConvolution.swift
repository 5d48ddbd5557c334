//===--- QuantizedDepthwiseConvolution.swift - by channel, bytes ----------===//
//
// On bytes as they are where the processor multiplies those, else on pairs of 16-bit integers.
//
// Contract  Bit for bit `Reference.convolve`.
// Cost      outputs · taps; no allocation.
// Checked   Tests/MartletKernelsTests/QuantizedDepthwiseTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletReference
import MartletRuntime
import MartletTensor

/// A depthwise convolution of byte images whose weights are packed.
///
/// Indirect: of the plain enum, held by a closure of another module, Swift 6.3.1's optimised code
/// releases memory that nobody wrote (`.ci/check-counts` runs networks under valgrind).
package indirect enum QuantizedDepthwiseConvolution: Sendable {
  case bytes(Int8DepthwiseConvolution)
  case pairs(Int16DepthwiseConvolution)

  /// Packs the weights, HWO with their zero points taken off; an empty bias is zero. `nil` where a
  /// window sees more of the image than scratch memory should hold.
  ///
  /// - Precondition: no weight is beyond ±255.
  package init?(
    _ convolution: DepthwiseConvolution, zero: ByteZeroPoint, filter: [Int16],
    bias: UnsafeBufferPointer<Int32>, requantizer: Requantizer, workers: Int,
    kernels: Microkernels = .current
  ) {
    if let bytes = Int8DepthwiseConvolution(
      convolution, zero: zero, filter: filter, bias: bias, requantizer: requantizer,
      workers: workers, kernels: kernels)
    {
      self = .bytes(bytes)
    } else if let pairs = Int16DepthwiseConvolution(
      convolution, zero: zero, filter: filter, bias: bias, requantizer: requantizer,
      workers: workers, kernels: kernels)
    {
      self = .pairs(pairs)
    } else {
      return nil
    }
  }

  /// The number of 16-bit elements of scratch memory that a call needs.
  package var scratchCount: Int {
    switch self {
    case .bytes: 0
    case .pairs(let convolution): convolution.scratchCount
    }
  }

  /// Convolves. Input and output are the bytes of the image and of the result.
  package func callAsFunction(
    _ input: UnsafeMutableRawBufferPointer, scratch: UnsafeMutableBufferPointer<Int16>,
    into output: UnsafeMutableRawBufferPointer, workers: Workers
  ) {
    switch self {
    case .bytes(let convolve): convolve(input, into: output, workers: workers)
    case .pairs(let convolve): convolve(input, scratch: scratch, into: output, workers: workers)
    }
  }
}
