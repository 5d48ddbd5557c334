//===--- FakeQuantization.swift - FAKE_QUANT ------------------------------===//
//
// y = low + scale · round((clamp(x, low, high) - low) / scale)
//
// Contract  TFLite FAKE_QUANT. The interval is shifted so that zero is one of its steps. Ties are
//           rounded away from zero.
// Order     The difference is multiplied by the inverse of the scale.
// Cost      A pass over the elements.
//===----------------------------------------------------------------------===//

import MartletBase

/// An interval divided into equal steps.
package struct FakeQuantization: Sendable {
  private let low: Float
  private let high: Float
  private let scale: Float

  /// The interval around `range`, which contains zero and is not empty, with 2 to the power of
  /// `bits` numbers.
  package init(_ range: ClosedRange<Float>, bits: Int) {
    let last = Float((1 << bits) - 1)
    scale = (range.upperBound - range.lowerBound) / last
    let zero = VectorMath.round(min(max(-range.lowerBound / scale, 0), last))
    low = -zero * scale
    high = (last - zero) * scale
  }

  /// The nearest number of the interval.
  package func callAsFunction(_ x: Float) -> Float {
    let difference = min(max(x, low), high) - low
    return VectorMath.round(difference * (1 / scale)) * scale + low
  }
}
