//===--- Convolution.swift - two-dimensional convolution ------------------===//
//
// y[p, o] = clamp(Σ over taps t and channels i of x[p + t, g(o) + i] · w[o, t, i] + bias[o])
//
// Contract  TFLite CONV_2D; with fewer filter channels than image channels the image's channels
//           fall into groups, each seen by its share of the filters. Filters are OHWI. An empty
//           bias is zero. Borders count as the input's zero point: they are left out.
// Order     A sum runs over taps row by row, channels innermost; the bias comes last. Float products
//           are rounded before they are added. Integer sums wrap.
// Cost      outputs · taps · channels of a group.
// Checked   Tests/MartletTensorTests/ConvolutionTests.swift, operator cases
//===----------------------------------------------------------------------===//

/// The extents of a convolution.
@usableFromInline
package struct Convolution: Sendable, Hashable {
  @usableFromInline
  package let window: SlidingWindow
  /// The channels of the image, of a filter, and the number of filters.
  @usableFromInline
  package let inputDepth: Int
  @usableFromInline
  package let filterDepth: Int
  @usableFromInline
  package let outputDepth: Int

  package init(window: SlidingWindow, inputDepth: Int, filterDepth: Int, outputDepth: Int) {
    self.window = window
    self.inputDepth = inputDepth
    self.filterDepth = filterDepth
    self.outputDepth = outputDepth
  }

  /// The number of filters that share a group of the image's channels.
  @inlinable
  package var filtersPerGroup: Int { outputDepth / Swift.max(inputDepth / filterDepth, 1) }

  /// Calls `finish` with the sum for each output, in the order of memory.
  @inlinable @inline(__always)
  func forEachSum<Sum: Numeric>(
    _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ channel: Int) -> Void
  ) {
    let taps = window.rows.filter &* window.columns.filter
    for output in 0..<window.outputCount {
      for channel in 0..<outputDepth {
        let group = channel / filtersPerGroup &* filterDepth
        var sum: Sum = 0
        window.forEachTap(ofOutput: output) { pixel, tap in
          let input = pixel &* inputDepth &+ group
          let weight = (channel &* taps &+ tap) &* filterDepth
          for i in 0..<filterDepth { accumulate(&sum, input &+ i, weight &+ i) }
        }
        finish(sum, output &* outputDepth &+ channel, channel)
      }
    }
  }
}

extension Reference {
  @inlinable
  package static func convolve(
    _ input: UnsafeMutableBufferPointer<Float>, filter: UnsafeMutableBufferPointer<Float>,
    bias: UnsafeMutableBufferPointer<Float>, _ convolution: Convolution,
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
  package static func convolve<Scalar: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, offset inputOffset: Int32,
    filter: UnsafeMutableBufferPointer<Scalar>, offset filterOffset: Int32,
    bias: UnsafeMutableBufferPointer<Int32>, _ convolution: Convolution,
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
  package static func convolve<Bias: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Int16>, filter: UnsafeMutableBufferPointer<Int8>,
    bias: UnsafeMutableBufferPointer<Bias>, _ convolution: Convolution,
    requantizer: Requantizer, into output: UnsafeMutableBufferPointer<Int16>
  ) {
    convolution.forEachSum { (sum: inout Int64, i, w) in
      sum &+= Int64(input[i]) &* Int64(filter[w])
    } finish: { sum, i, channel in
      let biased = bias.isEmpty ? sum : sum &+ Int64(bias[channel])
      output[i] = Int16(truncatingIfNeeded: requantizer(biased, channel: channel))
    }
  }
}
