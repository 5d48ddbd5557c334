//===--- QuantizedSum.swift - sums on a common scale ----------------------===//
//
// Both operands are converted to a common scale, twice the larger of the two, with extra bits. They
// are added, and the sum is rescaled to the output's scale:
//
//   a' = ((a − za) · 2^s) · (sa / 2m)      m = max(sa, sb)
//   y  = zy + (a' ± b') · (2m / (2^s · sy))
//
// Contract  Bit for bit LiteRT 2.3.0's `reference_ops::Add`, `Sub` and `SquaredDifference`. The
//           extra bits s are 20 for 8-bit operands, 15 for 16-bit ones and 7 for squares; factors
//           are computed as in LiteRT, partly in single precision. Sums wrap and never trap.
// Cost      Three fixed-point multiplications per element.
//===----------------------------------------------------------------------===//

/// The combination of two integers on a common scale.
@usableFromInline
package struct QuantizedSum: Sendable {
  /// The operation on operands of the common scale.
  @usableFromInline
  package enum Kind: Sendable {
    case sum, difference, squaredDifference
  }

  @usableFromInline package let zeroPointA: Int32
  @usableFromInline package let zeroPointB: Int32
  @usableFromInline package let zeroPointY: Int32
  @usableFromInline package let extraBits: Int32
  @usableFromInline package let scaleA: FixedPointMultiplier
  @usableFromInline package let scaleB: FixedPointMultiplier
  @usableFromInline package let scaleY: FixedPointMultiplier
  /// The steps of the result for a step of an operand, unless squared.
  package let factorA, factorB: Double
  @usableFromInline package let isSquared: Bool
  @usableFromInline package let range: ClosedRange<Int32>

  /// The mapping from operands of maps `a` and `b` to a result of map `y` within `range`.
  package init(
    _ kind: Kind, _ a: Quantization, _ b: Quantization, to y: Quantization, extraBits: Int32,
    range: ClosedRange<Int32>
  ) {
    let common = Double(2 * Swift.max(a.scale, b.scale))
    let second = FixedPointMultiplier(Double(b.scale) / common)
    zeroPointA = Int32(truncatingIfNeeded: a.zeroPoint)
    zeroPointB = Int32(truncatingIfNeeded: b.zeroPoint)
    zeroPointY = Int32(truncatingIfNeeded: y.zeroPoint)
    self.extraBits = extraBits
    self.range = range
    scaleA = FixedPointMultiplier(Double(a.scale) / common)
    scaleB =
      kind == .sum
      ? second : FixedPointMultiplier(mantissa: 0 &- second.mantissa, shift: second.shift)
    isSquared = kind == .squaredDifference
    let steps = Float(Int32(1) &<< (isSquared ? 2 &* extraBits : extraBits)) * y.scale
    scaleY = FixedPointMultiplier((isSquared ? common * common : common) / Double(steps))
    let power = scaleY.value * Double(Int64(1) << Int64(extraBits))
    factorA = scaleA.value * power
    factorB = scaleB.value * power
  }

  @export(implementation)
  package func callAsFunction(_ a: Int32, _ b: Int32) -> Int32 {
    let left = scaleA((a &- zeroPointA) &<< extraBits)
    let right = scaleB((b &- zeroPointB) &<< extraBits)
    var combined = left &+ right
    if isSquared { combined = combined &* combined }
    return min(max(scaleY(combined) &+ zeroPointY, range.lowerBound), range.upperBound)
  }
}
