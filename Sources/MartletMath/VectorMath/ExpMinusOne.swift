//===--- ExpMinusOne.swift - eˣ - 1 for x up to zero ----------------------===//
//
// x = n ln 2 + r as in the exponential; eˣ - 1 = 2ⁿ (eʳ - 1) + (2ⁿ - 1), which cancels nowhere:
// both terms of n = 0 are exact, and for n < 0 the second is at least as large as the first.
//
// Contract  Error under 2 ulp; -1 from x = -20 on, infinity included; zero keeps its sign; NaN stays
//           NaN. Arguments above zero give zero.
// Checked   Tests/MartletMathTests/ExpMinusOneTests.swift
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// eˣ - 1 for arguments that are not above zero, lane by lane.
  @inlinable @inline(__always)
  package static func expMinusOne(ofNegative argument: SIMD8<Float>) -> SIMD8<Float> {
    var x = argument.replacing(with: -20, where: argument .< -20)
    x.replace(with: 0, where: argument .> 0)
    let (shifted, r) = reduced(x)
    let scale = power(ofTwo: bits(shifted) &- SIMD8(repeating: 0x4b40_0000))
    let result = scale * expMinusOne(ofRest: r) + (scale - 1)
    // The sum has lost the sign of zero, and little else where r is all of x.
    return result.replacing(with: x, where: x .> -0x1p-25)
  }
}
