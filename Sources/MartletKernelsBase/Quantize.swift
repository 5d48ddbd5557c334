//===--- Quantize.swift - between real numbers and quantised integers -----===//
//
// y = clamp(round(x / scale) + zero point), and scale · (x - zero point).
//
// Contract  `count` is a multiple of the lanes. Bit for bit the reference kernels: ties are rounded
//           away from zero, and NaN becomes the lowest integer. `type` is uint8, int8 or int16.
// Cost      One pass.
// Checked   Tests/MartletKernelsTests/QuantizingTests.swift
//===----------------------------------------------------------------------===//

import MartletTensor

extension Loops {
  package static func quantize(
    _ x: UnsafePointer<Float>, count: Int, scale: Float, zeroPoint: Int32,
    range: ClosedRange<Int32>, as type: ElementType, into y: UnsafeMutableRawPointer
  ) {
    switch type {
    case .uint8: store(x, count, scale, zeroPoint, range, y, as: UnsignedBytes.self)
    case .int8: store(x, count, scale, zeroPoint, range, y, as: SignedBytes.self)
    default: store(x, count, scale, zeroPoint, range, y, as: Shorts.self)
    }
  }

  package static func dequantize(
    _ x: UnsafeRawPointer, count: Int, as type: ElementType, scale: Float, zeroPoint: Int32,
    into y: UnsafeMutablePointer<Float>
  ) {
    switch type {
    case .uint8: load(x, count, scale, zeroPoint, y, as: UnsignedBytes.self)
    case .int8: load(x, count, scale, zeroPoint, y, as: SignedBytes.self)
    default: load(x, count, scale, zeroPoint, y, as: Shorts.self)
    }
  }
}

@inline(never)
private func store<Elements: QuantizedLanes>(
  _ x: UnsafePointer<Float>, _ count: Int, _ scale: Float, _ zeroPoint: Int32,
  _ range: ClosedRange<Int32>, _ y: UnsafeMutableRawPointer, as: Elements.Type
) {
  let y = y.assumingMemoryBound(to: Elements.Scalar.self)
  let scale = Lanes(repeating: scale)
  // Beyond all integers of 16 bits, whatever the zero point, and well within what can be rounded.
  let limit = Lanes(repeating: 0x1p20)
  let zeroPoint = Sums(repeating: zeroPoint)
  let low = Sums(repeating: range.lowerBound)
  let high = Sums(repeating: range.upperBound)
  var i = 0
  while i < count {
    let steps: Lanes = load(x + i) / scale
    let raised = (-limit).replacing(with: steps, where: steps .> -limit)
    let held = raised.replacing(with: limit, where: raised .> limit)
    Elements.store(clamp(integers(rounded(held)) &+ zeroPoint, low, high), to: y + i)
    i &+= Lanes.scalarCount
  }
}

@inline(never)
private func load<Elements: QuantizedLanes>(
  _ x: UnsafeRawPointer, _ count: Int, _ scale: Float, _ zeroPoint: Int32,
  _ y: UnsafeMutablePointer<Float>, as: Elements.Type
) {
  let x = x.assumingMemoryBound(to: Elements.Scalar.self)
  let scale = Lanes(repeating: scale)
  let zeroPoint = Sums(repeating: zeroPoint)
  var i = 0
  while i < count {
    store(scale * floats(Elements.load(x + i) &- zeroPoint), to: y + i)
    i &+= Lanes.scalarCount
  }
}
