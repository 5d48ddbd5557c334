//===--- Concatenation.swift - CONCATENATION of differing scales ----------===//
//
// Where uint8 operands have other scales than the output, they are rescaled on the way; all else is
// a `StridedCopy`.
//
// Contract  Bit for bit LiteRT 2.3.0's `ConcatenationWithScaling`: y = zy + round(x·s − z·s) in
//           single precision, with s = sx · (1 / sy) and ties away from zero.
// Cost      One pass.
// Checked   Tests/MartletToolTests/ConformanceTests.swift
//===----------------------------------------------------------------------===//

extension Reference {
  /// Rescales runs of `run` elements from map `x` to map `y`, `pitch` elements apart in the output.
  package static func concatenate(
    _ input: UnsafeMutableBufferPointer<UInt8>, _ x: Quantization, run: Int,
    into output: UnsafeMutablePointer<UInt8>, pitch: Int, _ y: Quantization
  ) {
    guard run > 0 else { return }
    let scale = x.scale * (1 / y.scale)
    let bias = -Float(x.zeroPoint) * scale
    let zeroPoint = Int32(truncatingIfNeeded: y.zeroPoint)
    for row in 0..<input.count / run {
      let target = output + row * pitch
      for i in 0..<run {
        let steps = (Float(input[row * run + i]) * scale + bias).rounded(.toNearestOrAwayFromZero)
        // A step beyond this saturates as one at it does; NaN, from a scale of no use, becomes 0.
        let held = steps.isNaN ? 0 : clamp(steps, -0x1p24...0x1p24)
        target[i] = UInt8(truncatingIfNeeded: clamp(Int32(held) &+ zeroPoint, 0...255))
      }
    }
  }
}
