//===--- QuantizedConvolution.swift - layers of bytes ---------------------===//
//
// Convolutions, depthwise convolutions, and fully connected layers as 1x1 convolutions. They
// multiply bytes if the processor supports that, otherwise 16-bit integers.
//
// Contract  Bit-exact with `Reference.convolve`, for filters as deep as the image.
// Cost      outputs · taps · channels; for a depthwise convolution outputs · taps. No allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// The input and the output of a call.
struct ByteImages {
  let x: UnsafeRawBufferPointer
  let y: UnsafeMutablePointer<UInt8>
}

/// The scaling that converts a layer's sums to bytes.
package enum ByteRequantizer: Sendable {
  /// In fixed point.
  case fixed(Requantizer)
  /// In double precision, as LiteRT scales fully connected layers.
  case real(RealRequantizer)
}

/// A requantizer that kernels of bytes support.
package protocol PackedRequantizer {
  var packed: ByteRequantizer { get }
}

extension Requantizer: PackedRequantizer {
  package var packed: ByteRequantizer { .fixed(self) }
}

extension RealRequantizer: PackedRequantizer {
  package var packed: ByteRequantizer { .real(self) }
}

/// A layer of bytes with packed weights.
package final class QuantizedConvolution: Sendable {
  private enum Kernel {
    case bytes(Int8Convolution)
    case pairs(Int16Convolution)
    case adjacent(WinogradConvolution<AdjacentWindows>)
    case alternate(WinogradConvolution<AlternateWindows>)
    case depthwiseBytes(Int8DepthwiseConvolution)
    case depthwisePairs(Int16DepthwiseConvolution)
  }

  private let kernel: Kernel

  /// Packs the weights, OHWI; an empty bias is zero.
  ///
  /// - Precondition: the filters are as deep as the image, and no weight exceeds ±255.
  package init(
    _ convolution: Convolution, zero: ByteZeroPoint, filter: ByteWeights,
    bias: UnsafeBufferPointer<Int32>, requantizer: ByteRequantizer, workers: Int,
    kernels: Microkernels = .current
  ) {
    precondition(convolution.filterDepth == convolution.inputDepth)
    if let bytes = Int8Convolution(
      convolution, zero: zero, filter: filter, bias: bias, requantizer: requantizer,
      workers: workers, kernels: kernels)
    {
      kernel = .bytes(bytes)
    } else if kernels.lanes == 4,
      let adjacent = WinogradConvolution<AdjacentWindows>(
        convolution, zero: zero, filter: filter, bias: bias, requantizer: requantizer,
        workers: workers, kernels: kernels)
    {
      kernel = .adjacent(adjacent)
    } else if kernels.lanes == 4,
      let alternate = WinogradConvolution<AlternateWindows>(
        convolution, zero: zero, filter: filter, bias: bias, requantizer: requantizer,
        workers: workers, kernels: kernels)
    {
      kernel = .alternate(alternate)
    } else {
      kernel = .pairs(
        Int16Convolution(
          convolution, zero: zero, filter: filter, bias: bias, requantizer: requantizer,
          workers: workers, kernels: kernels))
    }
  }

  /// Packs depthwise weights, HWO; an empty bias is zero. Returns `nil` if a window covers more of
  /// the image than scratch memory should hold.
  ///
  /// - Precondition: no weight exceeds ±255.
  package init?(
    _ convolution: DepthwiseConvolution, zero: ByteZeroPoint, filter: ByteWeights,
    bias: UnsafeBufferPointer<Int32>, requantizer: Requantizer, workers: Int,
    kernels: Microkernels = .current
  ) {
    if let bytes = Int8DepthwiseConvolution(
      convolution, zero: zero, filter: filter, bias: bias, requantizer: requantizer,
      workers: workers, kernels: kernels)
    {
      kernel = .depthwiseBytes(bytes)
    } else if let pairs = Int16DepthwiseConvolution(
      convolution, zero: zero, filter: filter, bias: bias, requantizer: requantizer,
      workers: workers, kernels: kernels)
    {
      kernel = .depthwisePairs(pairs)
    } else {
      return nil
    }
  }

  /// The number of 32-bit elements of scratch memory that a call needs.
  package var scratchCount: Int {
    switch kernel {
    case .bytes(let convolution): convolution.schedule.scratchBytes / 4
    case .pairs(let convolution): convolution.schedule.scratchBytes / 4
    case .adjacent(let convolution): convolution.schedule.scratchBytes / 4
    case .alternate(let convolution): convolution.schedule.scratchBytes / 4
    case .depthwiseBytes(let convolution): convolution.schedule.scratchBytes / 4
    case .depthwisePairs(let convolution): convolution.schedule.scratchBytes / 4
    }
  }

  /// Convolves the bytes of the input images into the bytes of `output`.
  package func callAsFunction(
    _ input: UnsafeMutableRawBufferPointer, scratch: UnsafeMutableBufferPointer<Int32>,
    into output: UnsafeMutableRawBufferPointer, workers: Workers
  ) {
    guard input.baseAddress != nil,
      let y = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return }
    let images = ByteImages(x: UnsafeRawBufferPointer(input), y: y)
    let scratch = UnsafeMutableRawPointer(scratch.baseAddress)
    switch kernel {
    case .bytes(let convolution): convolution.run(images, scratch: scratch, workers: workers)
    case .pairs(let convolution): convolution.run(images, scratch: scratch, workers: workers)
    case .adjacent(let convolution): convolution.run(images, scratch: scratch, workers: workers)
    case .alternate(let convolution): convolution.run(images, scratch: scratch, workers: workers)
    case .depthwiseBytes(let convolution):
      convolution.run(images, scratch: scratch, workers: workers)
    case .depthwisePairs(let convolution):
      convolution.run(images, scratch: scratch, workers: workers)
    }
  }
}
