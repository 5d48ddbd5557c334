//===--- DepthwiseConvolution.swift - each channel by itself --------------===//
//
// y[p, c·m + k] = clamp(Σ over taps t of x[p + t, c] · w[t, c·m + k] + bias[c·m + k])
//
// Contract  TFLite DEPTHWISE_CONV_2D with depth multiplier m. Filters are HWC. An empty bias is
//           zero. Borders count as the input's zero point: they are left out.
// Order     A sum runs over taps row by row; the bias comes last. Float products are rounded before
//           they are added. Integer sums wrap.
// Cost      outputs · taps.
// Checked   Tests/MartletTensorTests/DepthwiseConvolutionTests.swift, operator cases
//===----------------------------------------------------------------------===//

/// The extents of a depthwise convolution.
@usableFromInline
package struct DepthwiseConvolution: Sendable, Hashable {
  @usableFromInline
  package let window: SlidingWindow
  @usableFromInline
  package let inputDepth: Int
  /// The number of outputs for each channel of the image.
  @usableFromInline
  package let multiplier: Int

  package init(window: SlidingWindow, inputDepth: Int, multiplier: Int) {
    self.window = window
    self.inputDepth = inputDepth
    self.multiplier = multiplier
  }

  @inlinable
  package var outputDepth: Int { inputDepth &* multiplier }

  /// Calls `finish` with the sum for each output, in the order of memory.
  @inlinable @inline(__always)
  func forEachSum<Sum: Numeric>(
    _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ channel: Int) -> Void
  ) {
    let depth = outputDepth
    for output in 0..<window.outputCount {
      for channel in 0..<depth {
        var sum: Sum = 0
        window.forEachTap(ofOutput: output) { pixel, tap in
          accumulate(
            &sum, pixel &* inputDepth &+ channel / multiplier, tap &* depth &+ channel)
        }
        finish(sum, output &* depth &+ channel, channel)
      }
    }
  }
}

extension Reference {
  @inlinable
  package static func convolveDepthwise(
    _ input: UnsafeMutableBufferPointer<Float>, filter: UnsafeMutableBufferPointer<Float>,
    bias: UnsafeMutableBufferPointer<Float>, _ convolution: DepthwiseConvolution,
    clampedTo range: ClosedRange<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    convolution.forEachSum { (sum: inout Float, i, w) in
      sum += input[i] * filter[w]
    } finish: { sum, i, channel in
      let biased = bias.isEmpty ? sum : sum + bias[channel]
      output[i] = min(max(biased, range.lowerBound), range.upperBound)
    }
  }

  /// Eight-bit images and filters. An offset is a zero point with its sign turned.
  @inlinable
  package static func convolveDepthwise<Scalar: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, offset inputOffset: Int32,
    filter: UnsafeMutableBufferPointer<Scalar>, offset filterOffset: Int32,
    bias: UnsafeMutableBufferPointer<Int32>, _ convolution: DepthwiseConvolution,
    requantizer: Requantizer, into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    convolution.forEachSum { (sum: inout Int32, i, w) in
      sum &+= (Int32(input[i]) &+ inputOffset) &* (Int32(filter[w]) &+ filterOffset)
    } finish: { sum, i, channel in
      let biased = bias.isEmpty ? sum : sum &+ bias[channel]
      output[i] = Scalar(truncatingIfNeeded: requantizer(biased, channel: channel))
    }
  }

  /// Sixteen-bit images with eight-bit filters; no zero points.
  @inlinable
  package static func convolveDepthwise(
    _ input: UnsafeMutableBufferPointer<Int16>, filter: UnsafeMutableBufferPointer<Int8>,
    bias: UnsafeMutableBufferPointer<Int64>, _ convolution: DepthwiseConvolution,
    requantizer: Requantizer, into output: UnsafeMutableBufferPointer<Int16>
  ) {
    convolution.forEachSum { (sum: inout Int64, i, w) in
      sum &+= Int64(input[i]) &* Int64(filter[w])
    } finish: { sum, i, channel in
      let biased = bias.isEmpty ? sum : sum &+ bias[channel]
      output[i] = Int16(truncatingIfNeeded: requantizer(biased, channel: channel))
    }
  }
}
