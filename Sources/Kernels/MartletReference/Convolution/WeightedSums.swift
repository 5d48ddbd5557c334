//===--- WeightedSums.swift - sums of products with weights ---------------===//
//
// All convolutions and fully connected layers compute a sum of products for each output. Each kind
// defines which inputs and weights are multiplied (`forEachSum`). The products and the conversion
// of sums depend only on the element types and are defined here.
//
// Contract  y = clamp(sum + bias[channel]); integer sums are requantized. An empty bias is zero.
//           Order     The order of `forEachSum`; the bias comes last. Float products are rounded
//           before they are added. Integer sums wrap.
// Cost      That of `forEachSum`.
//===----------------------------------------------------------------------===//

import MartletBase

/// A layer whose outputs are weighted sums of inputs.
@usableFromInline
package protocol WeightedSums: Sendable {
  /// The rows of outputs: a pixel's channels, or a row of a matrix.
  var rowCount: Int { get }
  /// The approximate number of products in a row.
  var rowWork: Int { get }

  /// Calls `accumulate` for each pair of an input and a weight of an output in some rows, then
  /// `finish` with the sum; outputs are in memory order.
  func forEachSum<Sum: Numeric>(
    in rows: Range<Int>, _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ channel: Int) -> Void
  )
}

extension WeightedSums {
  /// Computes the outputs of all rows.
  @export(implementation) @inline(__always)
  package func forEachSum<Sum: Numeric>(
    _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ channel: Int) -> Void
  ) {
    forEachSum(in: 0..<rowCount, accumulate, finish: finish)
  }

  /// Distributes the rows among workers.
  @export(implementation) @inline(__always)
  package func split(_ workers: Workers, _ body: (_ rows: Range<Int>) -> Void) {
    // With fewer products, waking another worker does not pay off.
    workers.split(rowCount, grain: (1 << 15) / max(rowWork, 1), body)
  }
}

extension Reference {
  @export(implementation)
  package static func convolve<Layer: WeightedSums>(
    _ input: UnsafeMutableBufferPointer<Float>, filter: UnsafeMutableBufferPointer<Float>,
    bias: UnsafeMutableBufferPointer<Float>, _ layer: Layer,
    clampedTo range: ClosedRange<Float>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers = .serial
  ) {
    layer.split(workers) { rows in
      layer.forEachSum(in: rows) { (sum: inout Float, i, w) in
        sum += input[i] * filter[w]
      } finish: { sum, i, channel in
        let biased = bias.isEmpty ? sum : sum + bias[channel]
        output[i] = min(max(biased, range.lowerBound), range.upperBound)
      }
    }
  }

  /// 8-bit images and filters. An offset is a negated zero point.
  @export(implementation)
  package static func convolve<
    Layer: WeightedSums, Scalar: FixedWidthInteger, Steps: SumRequantizer
  >(
    _ input: UnsafeMutableBufferPointer<Scalar>, offset inputOffset: Int32,
    filter: UnsafeMutableBufferPointer<Scalar>, offset filterOffset: Int32,
    bias: UnsafeMutableBufferPointer<Int32>, _ layer: Layer,
    requantizer: Steps, into output: UnsafeMutableBufferPointer<Scalar>, workers: Workers = .serial
  ) {
    layer.split(workers) { rows in
      layer.forEachSum(in: rows) { (sum: inout Int32, i, w) in
        sum &+= (Int32(input[i]) &+ inputOffset) &* (Int32(filter[w]) &+ filterOffset)
      } finish: { sum, i, channel in
        let biased = bias.isEmpty ? sum : sum &+ bias[channel]
        output[i] = Scalar(truncatingIfNeeded: requantizer(biased, channel: channel))
      }
    }
  }

  /// 16-bit images with 8-bit or 16-bit filters, without zero points. Sums have the width of biases
  /// and are scaled accordingly.
  @export(implementation)
  package static func convolve<
    Layer: WeightedSums, Weight: FixedWidthInteger, Bias: FixedWidthInteger, Steps: SumRequantizer
  >(
    _ input: UnsafeMutableBufferPointer<Int16>, filter: UnsafeMutableBufferPointer<Weight>,
    bias: UnsafeMutableBufferPointer<Bias>, _ layer: Layer,
    requantizer: Steps, into output: UnsafeMutableBufferPointer<Int16>, workers: Workers = .serial
  ) {
    layer.split(workers) { rows in
      layer.forEachSum(in: rows) { (sum: inout Bias, i, w) in
        sum &+= Bias(truncatingIfNeeded: input[i]) &* Bias(truncatingIfNeeded: filter[w])
      } finish: { sum, i, channel in
        let biased = bias.isEmpty ? sum : sum &+ bias[channel]
        output[i] = Int16(
          truncatingIfNeeded: Bias.bitWidth == 64
            ? requantizer(Int64(truncatingIfNeeded: biased), channel: channel)
            : requantizer(Int32(truncatingIfNeeded: biased), channel: channel))
      }
    }
  }

  /// A float image quantized to `values`, with one scale for each image, and 8-bit filters.
  /// - Parameter factors: One scale of the weights for each output channel.
  /// - Parameter factorsFirst: Whether a sum is multiplied by its factor before the image's scale,
  ///   as in LiteRT's convolutions with a scale for each channel; otherwise by the product of both.
  @export(implementation)
  package static func convolve<Layer: WeightedSums>(
    values input: UnsafeMutableBufferPointer<Int16>, scales: UnsafeMutableBufferPointer<Float>,
    filter: UnsafeMutableBufferPointer<Int8>, factors: [Float], factorsFirst: Bool = false,
    bias: UnsafeMutableBufferPointer<Float>, _ layer: Layer,
    clampedTo range: ClosedRange<Float>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers = .serial
  ) {
    let image = max(output.count / max(scales.count, 1), 1)
    layer.split(workers) { rows in
      layer.forEachSum(in: rows) { (sum: inout Int32, i, w) in
        sum &+= Int32(input[i]) &* Int32(filter[w])
      } finish: { sum, i, channel in
        let scale = scales[i / image]
        let value =
          factorsFirst
          ? Float(sum) * factors[channel] * scale : Float(sum) * (factors[channel] * scale)
        let biased = bias.isEmpty ? value : value + bias[channel]
        output[i] = min(max(biased, range.lowerBound), range.upperBound)
      }
    }
  }
}
