//===--- Mean.swift - means along axes ------------------------------------===//
//
// y[o] = Σ x[i] / n over the n elements i that map to o when the reduced axes are removed
//
// Contract  TFLite MEAN. Quantized means are bit for bit LiteRT's: the sum less n zero points, by a
//           fixed-point factor that holds 1/n; sums wrap at 32 bits. Means of plain integers are
//           truncated. The mean of no elements is NaN, or zero for integers.
// Order     A sum runs in the order of memory.
// Cost      One pass over the input.
//===----------------------------------------------------------------------===//

import MartletBase

/// The mapping from input elements of a reduction to output elements.
@usableFromInline
package struct Reduction: Sendable {
  /// The result's extents, reduced axes kept as 1.
  package let kept: Shape
  /// The number of input elements for each output element.
  @usableFromInline
  package let count: Int
  /// The iteration over the input, with the result as its operand.
  @usableFromInline
  package let walk: Broadcast
  /// If the axes are adjacent: the number of reductions, the elements of each, and the elements
  /// after the axes.
  package let run: (batches: Int, count: Int, depth: Int)?

  /// - Precondition: `axes` are axes of `input`.
  package init(of input: Shape, along axes: Set<Int>) {
    kept = Shape((0..<input.rank).map { axes.contains($0) ? 1 : input[$0] })
    count = axes.reduce(1) { $0 &* input[$1] }
    walk = Broadcast([kept], over: input)
    if let first = axes.min(), let last = axes.max(), last - first < axes.count {
      run = (
        (0..<first).reduce(1) { $0 &* input[$1] }, count,
        (last + 1..<input.rank).reduce(1) { $0 &* input[$1] }
      )
    } else {
      run = nil
    }
  }
}

/// The conversion of sums of quantized elements to quantized means.
@usableFromInline
package struct QuantizedMean: Sendable {
  /// The total of the zero points in a sum.
  @usableFromInline
  package let offset: Int32
  @usableFromInline
  package let requantizer: Requantizer

  package init(
    of count: Int, input: Quantization, output: Quantization, range: ClosedRange<Int32>
  ) {
    let whole = FixedPointMultiplier(Double(input.scale) / Double(output.scale))
    let divisor = Int64(max(count, 1))
    let bits = min(63 - Int32(divisor.leadingZeroBitCount), 32, 31 + whole.shift)
    let mantissa = (Int64(whole.mantissa) << Int64(bits)) / divisor
    offset = Int32(truncatingIfNeeded: -Int64(input.zeroPoint) &* divisor)
    requantizer = Requantizer(
      multipliers: [
        FixedPointMultiplier(
          mantissa: Int32(truncatingIfNeeded: mantissa), shift: whole.shift - bits)
      ],
      zeroPoint: Int32(output.zeroPoint), range: range)
  }
}

extension Reference {
  package static func mean(
    _ input: UnsafeMutableBufferPointer<Float>, _ reduction: Reduction,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    reduce(input, reduction.walk, from: 0, into: output) { $0 + $1 }
    let count = Float(reduction.count)
    for o in 0..<output.count { output[o] /= count }
  }

  /// - Parameter sums: memory for one sum per output.
  @export(implementation)
  package static func mean<Scalar: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, _ reduction: Reduction,
    sums: UnsafeMutableBufferPointer<Int64>, into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    reduce(input, reduction.walk, from: 0, into: sums) { $0 &+ Int64(truncatingIfNeeded: $1) }
    let count = Int64(max(reduction.count, 1))
    for o in 0..<output.count { output[o] = Scalar(truncatingIfNeeded: sums[o] / count) }
  }

  /// - Parameter sums: memory for one sum per output.
  @export(implementation)
  package static func mean<Scalar: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, _ reduction: Reduction, _ mean: QuantizedMean,
    sums: UnsafeMutableBufferPointer<Int32>, into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    reduce(input, reduction.walk, from: 0, into: sums) { $0 &+ Int32(truncatingIfNeeded: $1) }
    for o in 0..<output.count {
      let value = mean.requantizer(sums[o] &+ mean.offset, channel: 0)
      output[o] = Scalar(truncatingIfNeeded: value)
    }
  }
}
