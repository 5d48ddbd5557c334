//===--- HardSwish.swift - x · relu6(x + 3) / 6 ---------------------------===//
//
// Contract  TFLite HARD_SWISH. Bytes are computed in 16-bit fixed point, bit for bit as in LiteRT.
//           The input times 128 is scaled twice: to the output's scale, before its shift, and to a
//           scale on which 3 is 2¹⁵, which saturates. Their product is then shifted.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

/// A factor as a 15-bit mantissa and a power of two.
@usableFromInline
package struct ShortMultiplier: Sendable {
  /// The mantissa times 2¹⁵.
  @usableFromInline
  package let mantissa: Int16
  @usableFromInline
  package let exponent: Int32

  package init(_ factor: Float) {
    let wide = FixedPointMultiplier(Double(factor))
    mantissa = Int16(clamping: (Int64(wide.mantissa) + 1 << 15) >> 16)
    exponent = wide.shift
  }

  /// `value` times the mantissa, rounded to nearest with ties away from zero.
  @export(implementation)
  package func scaled(_ value: Int16) -> Int16 {
    let product = Int32(value) * Int32(mantissa)
    let nudge: Int32 = product >= 0 ? 1 << 14 : 1 - 1 << 14
    return Int16(clamping: (product + nudge) / (1 << 15))
  }
}

/// Precomputed parameters of eight-bit HARD_SWISH.
@usableFromInline
package struct ByteHardSwish: Sendable {
  @usableFromInline
  package let inputZeroPoint: Int32
  @usableFromInline
  package let outputZeroPoint: Int32
  /// The factor to the output's scale; its exponent is not positive.
  @usableFromInline
  package let output: ShortMultiplier
  /// The factor to the scale on which 3 is 2¹⁵.
  @usableFromInline
  package let ramp: ShortMultiplier

  /// Returns `nil` if the input's scale is more than 128 times the output's.
  package init?(input: Quantization, output result: Quantization) {
    let fine = 1 / 128 * input.scale
    inputZeroPoint = Int32(input.zeroPoint)
    outputZeroPoint = Int32(result.zeroPoint)
    output = ShortMultiplier(fine / result.scale)
    ramp = ShortMultiplier(fine / (3 / 32768))
    guard output.exponent <= 0 else { return nil }
  }

  @export(implementation)
  package func callAsFunction(_ x: Int32) -> Int32 {
    let fine = Int16(truncatingIfNeeded: (x &- inputZeroPoint) &* 128)
    // -1 to 1 for x from -3 to 3; only the saturation of the last shift matters.
    var position = fine
    if ramp.exponent > 0 {
      position = Int16(clamping: Int64(position) << Int64(ramp.exponent - 1))
    }
    position = ramp.scaled(position)
    if ramp.exponent > 0 { position = Int16(clamping: Int32(position) << 1) }
    if ramp.exponent < 0 {
      position = Int16(roundingShiftRight(Int32(position), by: -ramp.exponent))
    }
    // 0 to 1; the product is truncated, not rounded, to balance the biases.
    let gate = (Int32(position) + 1 << 15) >> 1
    let product = gate * Int32(output.scaled(fine)) / (1 << 15)
    return roundingShiftRight(product, by: -output.exponent) + outputZeroPoint
  }
}

extension Reference {
  package static func hardSwish(
    _ input: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    for i in 0..<input.count {
      let x = input[i]
      output[i] = x * min(6, max(0, x + 3)) / 6
    }
  }
}
