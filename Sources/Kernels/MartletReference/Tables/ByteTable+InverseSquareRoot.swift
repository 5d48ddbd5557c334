//===--- ByteTable+InverseSquareRoot.swift - RSQRT of eight bits ----------===//
//
// y = zy + 1 / √(x − zx) · 1 / (√sx · sy), in fixed point with 20 bits beyond the point.
//
// Contract  Bit for bit LiteRT 2.3.0's `RsqrtEvalQuantizedInt8`; zero gives the highest
//           result, and so do negative numbers, which are an error there.
//===----------------------------------------------------------------------===//

import MartletBase

extension ByteTable<Int8> {
  /// The table of 1/√x.
  package static func inverseSquareRoot(input: Quantization, output: Quantization) -> Self {
    let factor = FixedPointMultiplier(1 / Double(input.scale.squareRoot() * output.scale))
    let coarse = FixedPointMultiplier(mantissa: factor.mantissa, shift: factor.shift - 20)
    return ByteTable { (element: Int8) in
      let value = Int32(element) &- Int32(truncatingIfNeeded: input.zeroPoint)
      guard value > 0 else { return Int8.max }
      let root = FixedPointMultiplier.inverseSquareRoot(of: value)
      let bits = FixedPointMultiplier(mantissa: root.mantissa, shift: root.shift + 20)(Int32(1))
      let steps = coarse(bits) &+ Int32(truncatingIfNeeded: output.zeroPoint)
      return Int8(clamping: steps)
    }
  }
}
