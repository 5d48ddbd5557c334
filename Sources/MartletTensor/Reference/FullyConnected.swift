//===--- FullyConnected.swift - rows times a matrix -----------------------===//
//
// y[b, o] = clamp(Σ over i of x[b, i] · w[o, i] + bias[o])
//
// Contract  TFLite FULLY_CONNECTED: `rows` rows of `depth` inputs; weights are one row for each of
//           `units` outputs. An empty bias is zero.
// Order     A sum runs in index order; the bias comes last. Float products are rounded before they
//           are added. Sums of eight-bit products wrap at 32 bits.
// Cost      rows · units · depth.
// Checked   Tests/MartletTensorTests/FullyConnectedTests.swift, operator cases
//===----------------------------------------------------------------------===//

/// The extents of a fully connected layer.
@usableFromInline
package struct FullyConnected: Sendable, Hashable {
  @usableFromInline
  package let rows: Int
  @usableFromInline
  package let depth: Int
  @usableFromInline
  package let units: Int

  package init(rows: Int, depth: Int, units: Int) {
    self.rows = rows
    self.depth = depth
    self.units = units
  }

  /// Calls `finish` with the sum for each output, in the order of memory.
  @inlinable @inline(__always)
  func forEachSum<Sum: Numeric>(
    _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ unit: Int) -> Void
  ) {
    for row in 0..<rows {
      for unit in 0..<units {
        var sum: Sum = 0
        for i in 0..<depth { accumulate(&sum, row &* depth &+ i, unit &* depth &+ i) }
        finish(sum, row &* units &+ unit, unit)
      }
    }
  }
}

extension Reference {
  @inlinable
  package static func fullyConnect(
    _ input: UnsafeMutableBufferPointer<Float>, weights: UnsafeMutableBufferPointer<Float>,
    bias: UnsafeMutableBufferPointer<Float>, _ layer: FullyConnected,
    clampedTo range: ClosedRange<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    layer.forEachSum { (sum: inout Float, i, w) in
      sum += input[i] * weights[w]
    } finish: { sum, i, unit in
      let biased = bias.isEmpty ? sum : sum + bias[unit]
      output[i] = min(max(biased, range.lowerBound), range.upperBound)
    }
  }

  /// Eight-bit inputs and weights. An offset is a zero point with its sign turned.
  @inlinable
  package static func fullyConnect<Scalar: FixedWidthInteger, Result: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, offset inputOffset: Int32,
    weights: UnsafeMutableBufferPointer<Scalar>, offset weightOffset: Int32,
    bias: UnsafeMutableBufferPointer<Int32>, _ layer: FullyConnected,
    requantizer: RealRequantizer, into output: UnsafeMutableBufferPointer<Result>
  ) {
    layer.forEachSum { (sum: inout Int32, i, w) in
      sum &+= (Int32(input[i]) &+ inputOffset) &* (Int32(weights[w]) &+ weightOffset)
    } finish: { sum, i, unit in
      let biased = bias.isEmpty ? sum : sum &+ bias[unit]
      output[i] = Result(truncatingIfNeeded: requantizer(Int64(biased), channel: unit))
    }
  }

  /// Sixteen-bit inputs with eight-bit weights; no zero points.
  @inlinable
  package static func fullyConnect<Bias: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Int16>, weights: UnsafeMutableBufferPointer<Int8>,
    bias: UnsafeMutableBufferPointer<Bias>, _ layer: FullyConnected,
    requantizer: RealRequantizer, into output: UnsafeMutableBufferPointer<Int16>
  ) {
    layer.forEachSum { (sum: inout Int64, i, w) in
      sum &+= Int64(input[i]) &* Int64(weights[w])
    } finish: { sum, i, unit in
      let biased = bias.isEmpty ? sum : sum &+ Int64(bias[unit])
      output[i] = Int16(truncatingIfNeeded: requantizer(biased, channel: unit))
    }
  }
}
