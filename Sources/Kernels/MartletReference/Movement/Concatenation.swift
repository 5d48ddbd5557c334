//===--- Concatenation.swift - CONCATENATION of differing scales ----------===//
//
// If uint8 operands and the output have different scales, a table rescales the operands; everything
// else is a `StridedCopy`.
//
// Contract  Bit for bit LiteRT 2.3.0's `ConcatenationWithScaling`: y = zy + round(x·s − z·s) in
//           single precision, with s = sx · (1 / sy) and ties away from zero.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

extension ByteTable<UInt8> {
  /// The table from map `x` to map `y`.
  package static func rescaling(_ x: Quantization, to y: Quantization) -> Self {
    let scale = x.scale * (1 / y.scale)
    let bias = -Float(x.zeroPoint) * scale
    let zeroPoint = Int32(truncatingIfNeeded: y.zeroPoint)
    return ByteTable { (element: UInt8) in
      let steps = VectorMath.round(Float(element) * scale + bias)
      // Larger steps saturate in the same way; NaN, from an invalid scale, becomes 0.
      let held = steps.isNaN ? 0 : Reference.clamp(steps, -0x1p24...0x1p24)
      return UInt8(truncatingIfNeeded: Reference.clamp(Int32(held) &+ zeroPoint, 0...255))
    }
  }
}

extension Reference {
  /// Rescales runs of `run` elements, `pitch` elements apart in the output.
  package static func concatenate(
    _ input: UnsafeMutableBufferPointer<UInt8>, _ table: ByteTable<UInt8>, run: Int,
    into output: UnsafeMutablePointer<UInt8>, pitch: Int, workers: Workers = .serial
  ) {
    guard run > 0 else { return }
    workers.split(input.count / run, grain: moveGrain / 2 / run) { rows in
      for row in rows {
        lookUp(
          UnsafeMutableBufferPointer(rebasing: input[row * run..<(row + 1) * run]), in: table,
          into: UnsafeMutableBufferPointer(start: output + row * pitch, count: run))
      }
    }
  }
}
