//===--- Exp.swift - exponential function ---------------------------------===//
//
// x = n ln 2 + r with |r| <= ln 2 / 2, and eˣ = 2ⁿ eʳ. n is x / ln 2, rounded. r is computed in two
// steps, with ln 2 = high + low such that n · high is exact. eʳ is a polynomial.
//
// Contract  Float: error under 1.2 ulp (0.5 of the last addition, 0.6 of r and of the polynomial's
//           tail, 0.03 of its coefficients), plus 0.5 ulp if the result is subnormal. Overflow
//           gives infinity, underflow zero; NaN is preserved. Double: under 1 ulp.
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// eˣ of each lane.
  @inlinable @inline(__always)
  package static func exp(_ argument: SIMD8<Float>) -> SIMD8<Float> {
    // Outside this range the result is infinite or zero; inside, n is -150...128.
    var x = argument.replacing(with: 89, where: argument .> 89)
    x.replace(with: -104, where: argument .< -104)
    let (shifted, r) = reduced(x)
    let exponential = expMinusOne(ofRest: r) + 1
    // In two factors, because 2ⁿ alone may not be a normal number.
    let whole = bits(shifted) &- SIMD8(repeating: 0x4b40_0000)
    let half = whole &>> 1
    return exponential * power(ofTwo: half) * power(ofTwo: whole &- half)
  }

  /// Reduces x = n ln 2 + r. Returns 1.5 · 2²³ + n, with n in its lowest bits, and r.
  @inlinable @inline(__always)
  static func reduced(_ x: SIMD8<Float>) -> (shifted: SIMD8<Float>, r: SIMD8<Float>) {
    // Adding 1.5 · 2²³ leaves the integer nearest to x / ln 2 in the lowest bits.
    let shifted = x * 0x1.715476p+0 + 0x1.8p23
    let n = shifted - 0x1.8p23
    return (shifted, (x - n * 0x1.63p-1) - n * -0x1.bd0106p-13)
  }

  /// eʳ - 1 for |r| <= ln 2 / 2.
  @inlinable @inline(__always)
  static func expMinusOne(ofRest r: SIMD8<Float>) -> SIMD8<Float> {
    // (eʳ - 1 - r) / r², minimax.
    var q = r * 0x1.6a21acp-10 + 0x1.123b6ap-7
    q = q * r + 0x1.5558fap-5
    q = q * r + 0x1.55549p-3
    q = q * r + 0x1.fffffcp-2
    return r * r * q + r
  }

  /// eˣ, bit-identical to the vector form.
  @inlinable
  package static func exp(_ x: Float) -> Float { exp(SIMD8(repeating: x))[0] }

  /// eˣ in double precision.
  package static func exp(_ argument: Double) -> Double {
    guard argument == argument else { return argument }
    let x = min(max(argument, -746), 710)
    let n = VectorMath.round(x * 0x1.71547652b82fep+0)
    let r = (x - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33
    // Taylor series; the first omitted term is under r¹⁴ / 14! < 2⁻⁵⁷.
    var sum = 1.0
    var k = 13.0
    while k >= 1 {
      sum = 1 + r / k * sum
      k -= 1
    }
    let half = Int(n) >> 1
    return Double(sign: .plus, exponent: Int(n) - half, significand: sum)
      * Double(sign: .plus, exponent: half, significand: 1)
  }
}
