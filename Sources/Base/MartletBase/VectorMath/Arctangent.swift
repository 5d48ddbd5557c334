//===--- Arctangent.swift - angle of a point ------------------------------===//
//
// Computes the arctangent of t, the smaller coordinate over the larger, in 0...1. With c the
// nearest multiple of 1/8, atan t = atan c + atan((t - c) / (1 + t c)). The second argument is at
// most 1/16, so a short series suffices. The signs, including those of zeros, determine the
// quadrant.
//
// Contract  Double: error under 3 ulp. Float: under 0.501 ulp. Special cases are those of C's
//           `atan2`.
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// The angle from the positive x axis to the point (x, y), -π...π.
  package static func atan2(_ y: Double, _ x: Double) -> Double {
    let a = y.magnitude
    let b = x.magnitude
    guard a == a, b == b else { return .nan }
    // Zero over zero is 0; infinity over infinity is 1.
    let slope = a == b ? (a == 0 ? 0 : 1) : a < b ? a / b : b / a
    let isLeft = x.sign == .minus
    var angle = atan(ofFraction: slope)
    // The low parts of the constants: π is 0x1.921fb54442d18p+1 + 0x1.1a62633145c07p-53.
    if a > b {
      let turned = isLeft ? -angle : angle
      angle = 0x1.921fb54442d18p+0 - (turned - 0x1.1a62633145c07p-54)
    } else if isLeft {
      angle = 0x1.921fb54442d18p+1 - (angle - 0x1.1a62633145c07p-53)
    }
    return y.sign == .minus ? -angle : angle
  }

  /// The angle from the positive x axis to the point (x, y), -π...π.
  package static func atan2(_ y: Float, _ x: Float) -> Float {
    Float(atan2(Double(y), Double(x)))
  }

  /// atan(i / 8)
  private static let eighths: [Double] = [
    0, 0x1.fd5ba9aac2f6ep-4, 0x1.f5b75f92c80ddp-3, 0x1.6f61941e4def1p-2, 0x1.dac670561bb4fp-2,
    0x1.1e00babdefeb4p-1, 0x1.4978fa3269ee1p-1, 0x1.700a7c5784634p-1, 0x1.921fb54442d18p-1,
  ]

  /// atan t for t in 0...1.
  private static func atan(ofFraction t: Double) -> Double {
    let index = Int(t * 8 + 0.5)
    let center = Double(index) / 8
    let r = (t - center) / (1 + t * center)
    let z = r * r
    // The first omitted term is under 2⁻⁶³ of the sum.
    var p = z / 13 - 1 / 11
    p = p * z + 1 / 9
    p = p * z - 1 / 7
    p = p * z + 1 / 5
    p = p * z - 1 / 3
    return eighths[index] + (r * z * p + r)
  }
}
