//===--- QuantizedProduct.swift - products on the output's scale ----------===//
//
// y = zy + (a − za) · (b − zb) · (sa · sb / sy)
//
// Contract  Bit for bit LiteRT 2.3.0's `reference_ops::Mul`; the factor is computed in single
//           precision, as there. Products wrap, never trap.
// Cost      One fixed-point multiplication per element.
//===----------------------------------------------------------------------===//

/// The product of two integers on the output's scale.
@usableFromInline
package struct QuantizedProduct: Sendable {
  @usableFromInline package let zeroPointA: Int32
  @usableFromInline package let zeroPointB: Int32
  @usableFromInline package let zeroPointY: Int32
  @usableFromInline package let scale: FixedPointMultiplier
  @usableFromInline package let range: ClosedRange<Int32>

  /// The mapping from operands of maps `a` and `b` to a result of map `y` within `range`.
  package init(
    _ a: Quantization, _ b: Quantization, to y: Quantization, range: ClosedRange<Int32>
  ) {
    zeroPointA = Int32(truncatingIfNeeded: a.zeroPoint)
    zeroPointB = Int32(truncatingIfNeeded: b.zeroPoint)
    zeroPointY = Int32(truncatingIfNeeded: y.zeroPoint)
    scale = FixedPointMultiplier(Double(a.scale * b.scale / y.scale))
    self.range = range
  }

  @export(implementation)
  package func callAsFunction(_ a: Int32, _ b: Int32) -> Int32 {
    let product = (a &- zeroPointA) &* (b &- zeroPointB)
    return min(max(scale(product) &+ zeroPointY, range.lowerBound), range.upperBound)
  }
}
