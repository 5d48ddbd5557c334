//===--- QuantizedFullyConnected.swift - rows times a matrix, bytes -------===//
//
// On bytes as they are where the processor multiplies those, else on pairs of 16-bit integers.
//
// Contract  Bit for bit `Reference.convolve` of a `FullyConnected`.
// Cost      rows · units · depth; no allocation.
// Checked   Tests/MartletKernelsTests/FullyConnectedTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletReference
import MartletRuntime
import MartletTensor

/// A fully connected layer of bytes whose weights are packed.
///
/// Indirect: of the plain enum, held by a closure of another module, Swift 6.3.1's optimised code
/// releases memory that nobody wrote (`.ci/check-counts` runs networks under valgrind).
package indirect enum QuantizedFullyConnected: Sendable {
  case bytes(Int8FullyConnected)
  case pairs(Int16FullyConnected)

  /// Packs the weights, one row for each unit with zero points taken off; an empty bias is zero.
  ///
  /// - Precondition: no weight is beyond ±255.
  package init(
    _ layer: FullyConnected, zero: ByteZeroPoint, weights: [Int16],
    bias: UnsafeBufferPointer<Int32>, requantizer: RealRequantizer, workers: Int,
    kernels: Microkernels = .current
  ) {
    if let bytes = Int8FullyConnected(
      layer, zero: zero, weights: weights, bias: bias, requantizer: requantizer,
      workers: workers, kernels: kernels)
    {
      self = .bytes(bytes)
    } else {
      self = .pairs(
        Int16FullyConnected(
          layer, zero: zero, weights: weights, bias: bias, requantizer: requantizer,
          workers: workers, kernels: kernels))
    }
  }

  /// The number of 32-bit elements of scratch memory that a call needs.
  package var scratchCount: Int {
    switch self {
    case .bytes(let layer): layer.scratchCount
    case .pairs(let layer): layer.scratchCount
    }
  }

  /// Multiplies. Input and output are the bytes of the rows and of the results.
  package func callAsFunction(
    _ input: UnsafeMutableRawBufferPointer, scratch: UnsafeMutableBufferPointer<Int32>,
    into output: UnsafeMutableRawBufferPointer, workers: Workers
  ) {
    switch self {
    case .bytes(let connect): connect(input, scratch: scratch, into: output, workers: workers)
    case .pairs(let connect): connect(input, scratch: scratch, into: output, workers: workers)
    }
  }
}
