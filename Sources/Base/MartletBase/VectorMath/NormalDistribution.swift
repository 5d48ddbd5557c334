//===--- NormalDistribution.swift - normal distribution -------------------===//
//
// Φ(x) = ½ erfc(-x / √2), the cumulative standard normal distribution; and erfc in double
// precision, for tables.
//
// Lanes: the tail beyond |x| is e^(-x²/2) times a polynomial in 1 / (1 + 0.3 |x|). The square is
// split into two parts, the larger of which is exact, because its error would be that of the
// result. Double: below 2, the series of erf, whose terms have the same sign; from 2 on, the
// continued fraction of erfc.
//
// Contract  Φ: relative error under 2⁻²⁰, also for very negative x, plus 0.5 ulp if the result is
//           subnormal; NaN is preserved. erfc: relative error under 2⁻⁴².
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// The cumulative standard normal distribution of each lane.
  @inlinable @inline(__always)
  package static func normalDistribution(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let magnitude = floats(bits(x) & SIMD8(repeating: Int32.max))
    let a = magnitude.replacing(with: 15, where: magnitude .> 15)
    // Twelve bits, so that a float holds the square exactly.
    let coarse = floats(bits(a) & SIMD8(repeating: ~0xfff))
    let density = exp(coarse * coarse * -0.5) * exp((coarse - a) * (coarse + a) * 0.5)
    let t = 1 / (a * 0x1.333334p-2 + 1)
    let u = t - 0x1.2fd9b8p-1
    // e^(a²/2) times the tail over t, interpolated at Chebyshev nodes.
    var p = u * -0x1.5757fp-6 + 0x1.313cfp-9
    p = p * u + 0x1.6a589ap-5
    p = p * u + -0x1.3a452cp-7
    p = p * u + -0x1.739b9ap-4
    p = p * u + -0x1.636324p-7
    p = p * u + 0x1.ce30fp-3
    p = p * u + 0x1.a3246cp-2
    p = p * u + 0x1.9958a4p-2
    p = p * u + 0x1.06151cp-2
    let tail = density * t * p
    return (1 - tail).replacing(with: tail, where: x .< 0)
  }

  /// The complementary error function.
  package static func erfc(_ x: Double) -> Double {
    guard x == x else { return x }
    let magnitude = min(x.magnitude, 28)
    let square = magnitude * magnitude
    var tail: Double
    if magnitude < 2 {
      // erf = 2/√π e^(-x²) Σ x (2x²)ⁿ / (1 · 3 · 5 ... (2n + 1)); under 2⁻⁵³ from n = 40 on.
      var sum = 0.0
      var n = 40.0
      while n >= 0 {
        sum = 1 + sum * 2 * square / (2 * n + 3)
        n -= 1
      }
      tail = 1 - 0x1.20dd750429b6dp+0 * magnitude * exp(-square) * sum
    } else {
      var fraction = magnitude
      var n = 80.0
      while n >= 1 {
        fraction = magnitude + n / 2 / fraction
        n -= 1
      }
      tail = exp(-square) * 0x1.20dd750429b6dp-1 / fraction
    }
    return x < 0 ? 2 - tail : tail
  }
}
