//===--- Requantizer.swift - accumulators to stored integers --------------===//
//
// y = clamp(sum · factor of the channel + zero point)
//
// Contract  Bit for bit LiteRT. Convolutions scale 32-bit sums in fixed point with two roundings,
//           and 64-bit sums by a 15-bit mantissa with one (see FixedPoint.swift). Fully connected
//           layers scale in double precision and round once, ties away from zero. Additions wrap.
//===----------------------------------------------------------------------===//

/// The conversion of a layer's integer sums to quantized outputs.
@usableFromInline
package protocol SumRequantizer: Sendable {
  func callAsFunction(_ sum: Int32, channel: Int) -> Int32
  func callAsFunction(_ sum: Int64, channel: Int) -> Int32
}

/// The conversion of an operator's accumulators to the integers of its output.
@usableFromInline
package struct Requantizer: SumRequantizer {
  /// One factor for each output channel.
  @usableFromInline
  package let multipliers: [FixedPointMultiplier]
  @usableFromInline
  package let zeroPoint: Int32
  /// The output range of the fused activation.
  @usableFromInline
  package let range: ClosedRange<Int32>

  package init(
    multipliers: [FixedPointMultiplier], zeroPoint: Int32, range: ClosedRange<Int32>
  ) {
    self.multipliers = multipliers
    self.zeroPoint = zeroPoint
    self.range = range
  }

  @export(implementation) @inline(__always)
  package func callAsFunction(_ sum: Int32, channel: Int) -> Int32 {
    clamp(multipliers[channel](sum) &+ zeroPoint)
  }

  @export(implementation) @inline(__always)
  package func callAsFunction(_ sum: Int64, channel: Int) -> Int32 {
    clamp(multipliers[channel](sum) &+ zeroPoint)
  }

  @export(implementation) @inline(__always)
  func clamp(_ value: Int32) -> Int32 {
    min(max(value, range.lowerBound), range.upperBound)
  }
}

/// The conversion of a fully connected layer's accumulators to the integers of its output.
@usableFromInline
package struct RealRequantizer: SumRequantizer {
  /// One factor for each output channel.
  @usableFromInline
  package let factors: [Double]
  @usableFromInline
  package let zeroPoint: Int32
  /// The output range of the fused activation.
  @usableFromInline
  package let range: ClosedRange<Int32>

  package init(factors: [Double], zeroPoint: Int32, range: ClosedRange<Int32>) {
    self.factors = factors
    self.zeroPoint = zeroPoint
    self.range = range
  }

  @export(implementation) @inline(__always)
  package func callAsFunction(_ sum: Int32, channel: Int) -> Int32 {
    self(Int64(sum), channel: channel)
  }

  @export(implementation) @inline(__always)
  package func callAsFunction(_ sum: Int64, channel: Int) -> Int32 {
    let steps = VectorMath.round(Double(sum) * factors[channel])
    let limited = min(max(steps, Double(Int32.min)), Double(Int32.max))
    let value = Int64(limited) &+ Int64(zeroPoint)
    return Int32(min(max(value, Int64(range.lowerBound)), Int64(range.upperBound)))
  }
}
