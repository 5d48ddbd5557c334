//===--- HybridDepthwiseConvolution.swift - hybrid depthwise convolution --===//
//
// Images are quantized at run time and kept as floats. They are whole numbers, so products and sums
// are exact unless windows are huge. The kernel of float images computes the sums, which are scaled
// in place.
//
// Contract  Bit-exact with the reference kernels.
// Cost      outputs · taps, two passes over the images and one over the output; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A depthwise convolution of float images with byte weights. A class, because it is too large to
/// be copied for each call.
package final class HybridDepthwiseConvolution: Sendable {
  /// The most products of a quantized value and a weight whose sum a float represents exactly.
  private static let maximumTaps = (1 << 24) / (255 * 128)
  /// The smallest number of elements of a chunk that justifies waking a worker.
  private static let grain = 1 << 15

  private let convolution: DepthwiseConvolution
  private let image: DynamicQuantization
  private let range: ClosedRange<Float>
  private let columns: HybridColumns
  private let convolve: Float32DepthwiseConvolution
  private let kernels: Microkernels

  /// Takes weights, HWO, with one factor per output channel; an empty bias is zero. Returns `nil`
  /// for windows that the kernel does not support.
  package init?(
    _ convolution: DepthwiseConvolution, filter: UnsafeBufferPointer<Int8>, factors: [Float],
    bias: UnsafeBufferPointer<Float>, clampedTo range: ClosedRange<Float>, workers: Int,
    kernels: Microkernels = .current
  ) {
    let window = convolution.window
    let taps = Schedule.product([window.rows.filter, window.columns.filter])
    let all = -Float.infinity...Float.infinity
    guard taps <= HybridDepthwiseConvolution.maximumTaps, convolution.multiplier == 1
    else { return nil }
    self.kernels = kernels
    self.convolution = convolution
    self.range = range
    convolve = filter.map { Float($0) }.withUnsafeBufferPointer {
      Float32DepthwiseConvolution(
        convolution, constantFilter: $0, clampedTo: all, workers: workers, kernels: kernels)
    }
    image = DynamicQuantization(
      count: window.batches,
      length: window.rows.input * window.columns.input * convolution.inputDepth,
      isAsymmetric: true, kernels: kernels)
    columns = HybridColumns(factors: factors, bias: bias, lanes: kernels.lanes) { _ in 0 }
  }

  /// The number of quantized values, and the number of images; each has its own scale.
  package var valueCount: Int { image.count * image.length }
  package var imageCount: Int { image.count }

  package func callAsFunction(
    _ input: UnsafeMutableBufferPointer<Float>, values: UnsafeMutableBufferPointer<Float>,
    scales: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard let x = input.baseAddress, let y = output.baseAddress, let first = values.baseAddress
    else { return }
    image.forEachPart(x, workers: workers) { index, map in
      scales[index] = map.scale
    } quantize: { part, map in
      kernels.float32DynamicRound(
        x + part.lowerBound, part.count, map.forward, first + part.lowerBound)
    }
    let none = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)
    convolve(values, filter: none, bias: none, into: output, workers: workers)
    let depth = convolution.outputDepth
    let pixels = convolution.window.outputCount / max(image.count, 1)
    for image in 0..<image.count {
      workers.split(pixels, grain: HybridDepthwiseConvolution.grain / depth + 1) { part in
        kernels.float32ScaleColumns(
          Float32ScaleColumns(
            y: y + (image &* pixels &+ part.lowerBound) &* depth, rows: part.count,
            columns: depth, factors: columns.factors, biases: columns.biases,
            scale: scales[image], range: range))
      }
    }
  }
}
