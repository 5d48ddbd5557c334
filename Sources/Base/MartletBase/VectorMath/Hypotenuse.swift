//===--- Hypotenuse.swift - length of a vector ----------------------------===//
//
// √(x² + y²), with both scaled by a power of two so that the squares stay in range.
//
// Contract  Double: error under 2 ulp. Float: under 0.501 ulp. Infinity and NaN give infinity, as
//           in C's `hypot`.
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// The distance of the point (x, y) from the origin.
  package static func hypotenuse(_ x: Double, _ y: Double) -> Double {
    let a = x.magnitude
    let b = y.magnitude
    if a == .infinity || b == .infinity { return .infinity }
    guard a == a, b == b else { return .nan }
    let large = max(a, b)
    guard large > 0 else { return 0 }
    // Clamped by two from the limits, so that the inverse does not overflow.
    let exponent = min(max(large.exponent, -1020), 1020)
    let scale = Double(sign: .plus, exponent: 0 - exponent, significand: 1)
    let (u, v) = (a * scale, b * scale)
    return (u * u + v * v).squareRoot() * Double(sign: .plus, exponent: exponent, significand: 1)
  }

  /// The distance of the point (x, y) from the origin.
  package static func hypotenuse(_ x: Float, _ y: Float) -> Float {
    Float(hypotenuse(Double(x), Double(y)))
  }
}
