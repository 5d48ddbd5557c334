//===--- FixedPoint+InverseSquareRoot.swift - 1/√x ------------------------===//
//
// Five Newton steps, x ← (3/2)x − (a/2)x³, in Q3.28 numbers.
//
// Contract  Bit-exact with LiteRT 2.3.0's `GetInvSqrtQuantizedMultiplierExp`. Arguments up to 1,
//           including zero, give one.
//===----------------------------------------------------------------------===//

extension FixedPointMultiplier {
  /// 1/√`value` as a factor.
  @inlinable
  package static func inverseSquareRoot(of value: Int32) -> FixedPointMultiplier {
    guard value > 1 else { return FixedPointMultiplier(mantissa: Int32.max, shift: 0) }
    var input = value
    var shift: Int32 = 11
    while input >= 1 << 29 {
      input /= 4
      shift += 1
    }
    // Shift left by as many pairs of bits as fit under 2²⁹; each pair shifts the root by one bit.
    let pairs = Int32(truncatingIfNeeded: input.leadingZeroBitCount - 1) / 2 - 1
    shift -= pairs
    input &<<= 2 * pairs
    let halfInput = roundingShiftRight(input >> 1, by: 1)
    let halfThree: Int32 = 1 << 28 + 1 << 27
    var x: Int32 = 1 << 28
    for _ in 0..<5 {
      let square = saturatingRoundingDoublingHighMultiply(x, x)
      let cube = FixedPoint.saturatingShiftLeft(
        saturatingRoundingDoublingHighMultiply(square, x), by: 6)
      let step =
        saturatingRoundingDoublingHighMultiply(halfThree, x)
        &- saturatingRoundingDoublingHighMultiply(halfInput, cube)
      x = FixedPoint.saturatingShiftLeft(step, by: 3)
    }
    // √2 / 2 in Q0.31.
    let mantissa = saturatingRoundingDoublingHighMultiply(x, 1_518_500_250)
    guard shift >= 0 else {
      return FixedPointMultiplier(mantissa: mantissa &<< (0 - shift), shift: 0)
    }
    return FixedPointMultiplier(mantissa: mantissa, shift: 0 - shift)
  }
}
