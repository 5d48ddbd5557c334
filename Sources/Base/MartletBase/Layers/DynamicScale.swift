//===--- DynamicScale.swift - quantization of a known range ---------------===//
//
// Contract  LiteRT's scales: the largest magnitude over 127, or, if asymmetric, the range including
//           zero over 255 with a rounded zero point.
//===----------------------------------------------------------------------===//

/// The quantization of floats of a known range to bytes.
package struct DynamicScale: Sendable {
  /// The scale, and its inverse.
  package let scale: Float
  package let inverse: Float
  /// The zero point, a whole number.
  package let zeroPoint: Float

  /// - Parameters:
  ///   - low: The lowest value, or zero.
  ///   - high: The highest value, or zero. If both are zero, all values are zero.
  package init(low: Float, high: Float, isAsymmetric: Bool) {
    guard low != high else {
      (scale, inverse, zeroPoint) = (1, 0, 0)
      return
    }
    if isAsymmetric {
      (scale, zeroPoint) = DynamicScale.affine(low, high)
      inverse = 1 / scale
    } else {
      let limit = max(-low, high)
      (scale, inverse, zeroPoint) = (limit / 127, 127 / limit, 0)
    }
  }

  /// The scale and zero point of an interval that contains zero.
  private static func affine(_ low: Float, _ high: Float) -> (scale: Float, zeroPoint: Float) {
    let scale = (Double(high) - Double(low)) / 255
    let below = Double(low) / scale
    let above = Double(high) / scale
    // Computed from the end that is closer to its bound.
    let zeroPoint = 128 + below.magnitude < 127 + above.magnitude ? -128 - below : 127 - above
    let nearest = VectorMath.round(zeroPoint)
    return (Float(scale), Float(nearest > -128 ? min(nearest, 127) : -128))
  }
}
