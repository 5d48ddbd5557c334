//===--- ExpMinusOne.swift - eˣ - 1 ---------------------------------------===//
//
// x = n ln 2 + r as in the exponential; eˣ - 1 = 2ⁿ (eʳ - 1) + (2ⁿ - 1). There is no cancellation:
// for n = 0 both terms are exact, and for n < 0 the second is at least as large as the first.
//
// Contract  Error under 2 ulp; -1 for x <= -20, including -infinity. Zero keeps its sign; NaN is
//           preserved. Arguments above zero give zero.
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// eˣ - 1 of each lane, for arguments that are not above zero.
  @inlinable @inline(__always)
  package static func expMinusOne(ofNegative argument: SIMD8<Float>) -> SIMD8<Float> {
    var x = argument.replacing(with: -20, where: argument .< -20)
    x.replace(with: 0, where: argument .> 0)
    let (shifted, r) = reduced(x)
    let scale = power(ofTwo: bits(shifted) &- SIMD8(repeating: 0x4b40_0000))
    let result = scale * expMinusOne(ofRest: r) + (scale - 1)
    // Tiny arguments are their own result; the sum would lose the sign of zero.
    return result.replacing(with: x, where: x .> -0x1p-25)
  }
}
