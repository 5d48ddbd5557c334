//===--- Normalize.swift - L2 normalization of rows -----------------------===//
//
// y[i] = x[i] / max(‖x‖, 10⁻⁶) over the last axis
//
// Contract  TFLite L2_NORMALIZATION. Bytes are computed in fixed point, bit for bit as LiteRT does;
//           results are in steps of 2⁻⁷ around `center`.
// Order     The sum of squares runs in index order; integers wrap.
// Cost      Two passes over a row.
//===----------------------------------------------------------------------===//

import MartletBase

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

  @export(implementation)
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
      let factor = FixedPointMultiplier.inverseSquareRoot(of: sum)
      // Steps of 2⁻⁷: unsigned bytes take the seven bits before the factor, signed ones within it.
      let signed = FixedPointMultiplier(mantissa: factor.mantissa, shift: factor.shift + 7)
      for i in row {
        let x = Int32(input[i]) &- zeroPoint
        output[i] = Scalar(clamping: (Scalar.isSigned ? signed(x) : factor(x &* 128)) &+ center)
      }
    }
  }
}
