//===--- Normalize.swift - rows of length 1 -------------------------------===//
//
// y[i] = x[i] / max(‖x‖, 10⁻⁶) over the last axis
//
// Contract  TFLite L2_NORMALIZATION. Bytes are computed in fixed point, bit for bit as LiteRT does;
//           results are in steps of 2⁻⁷ around `center`.
// Order     The sum of squares runs in index order; integers wrap.
// Cost      Two passes over a row.
// Checked   Tests/MartletTensorTests/NormalizeTests.swift, operator cases
//===----------------------------------------------------------------------===//

extension FixedPoint {
  /// 1 / √x: a mantissa and a right shift, as a factor. Zero counts as one.
  @inlinable
  package static func inverseSquareRoot(_ x: Int32) -> FixedPointMultiplier {
    guard x > 1 else { return FixedPointMultiplier(mantissa: Int32.max, shift: 0) }
    var value = x
    var shift: Int32 = 11
    while value >= 1 << 29 {
      value /= 4
      shift += 1
    }
    let pairs = Int32(value.leadingZeroBitCount - 1) / 2 - 1
    shift -= pairs
    value <<= 2 * pairs
    // Newton's method in Q3.28, from 1.
    let half = roundingShiftRight(value >> 1, by: 1)
    let threeHalves: Int32 = 3 << 27
    var y: Int32 = 1 << 28
    for _ in 0..<5 {
      let cube = saturatingShiftLeft(multiply(multiply(y, y), y), by: 6)
      y = saturatingShiftLeft(multiply(threeHalves, y) &- multiply(half, cube), by: 3)
    }
    y = multiply(y, 1_518_500_250)  // √½
    return shift < 0
      ? FixedPointMultiplier(mantissa: y << -shift, shift: 0)
      : FixedPointMultiplier(mantissa: y, shift: -shift)
  }
}

extension Reference {
  package static func normalize(
    _ input: UnsafeMutableBufferPointer<Float>, depth: Int,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    for start in stride(from: 0, to: input.count, by: max(depth, 1)) {
      var sum: Float = 0
      for i in start..<start + depth { sum += input[i] * input[i] }
      let length = max(sum.squareRoot(), 1e-6)
      for i in start..<start + depth { output[i] = input[i] / length }
    }
  }

  @inlinable
  package static func normalize<Scalar: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, zeroPoint: Int32, depth: Int, center: Int32,
    into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    for start in stride(from: 0, to: input.count, by: max(depth, 1)) {
      let row = start..<start &+ depth
      var sum: Int32 = 0
      for i in row {
        let x = Int32(input[i]) &- zeroPoint
        sum &+= x &* x
      }
      let factor = FixedPoint.inverseSquareRoot(sum)
      // Steps of 2⁻⁷: unsigned bytes take the seven bits before the factor, signed ones within it.
      let signed = FixedPointMultiplier(mantissa: factor.mantissa, shift: factor.shift + 7)
      for i in row {
        let x = Int32(input[i]) &- zeroPoint
        output[i] = Scalar(clamping: (Scalar.isSigned ? signed(x) : factor(x &* 128)) &+ center)
      }
    }
  }
}
