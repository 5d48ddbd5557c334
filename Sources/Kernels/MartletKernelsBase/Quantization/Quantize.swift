//===--- Quantize.swift - QUANTIZE and DEQUANTIZE -------------------------===//
//
// y = clamp(round(x / scale) + zero point), and scale · (x - zero point).
//
// Contract  `count` is a multiple of the lanes. Bit-exact with the reference kernels: ties are
//           rounded away from zero, and NaN becomes the lowest integer. `type` is uint8, int8 or
//           int16.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

extension Level {
  package static func float32Quantize(
    _ x: UnsafePointer<Float>, count: Int, _ map: AffineMap, clampedTo range: ClosedRange<Int32>,
    into y: UnsafeMutableRawPointer
  ) {
    switch map.type {
    case .uint8: quantize(x, count, map, range, y, as: UnsignedBytes.self)
    case .int8: quantize(x, count, map, range, y, as: SignedBytes.self)
    default: quantize(x, count, map, range, y, as: Shorts.self)
    }
  }

  package static func quantizedDequantize(
    _ x: UnsafeRawPointer, count: Int, _ map: AffineMap, into y: UnsafeMutablePointer<Float>
  ) {
    switch map.type {
    case .uint8: dequantize(x, count, map, y, as: UnsignedBytes.self)
    case .int8: dequantize(x, count, map, y, as: SignedBytes.self)
    default: dequantize(x, count, map, y, as: Shorts.self)
    }
  }
}

@inline(never)
private func quantize<Elements: QuantizedLanes>(
  _ x: UnsafePointer<Float>, _ count: Int, _ map: AffineMap, _ range: ClosedRange<Int32>,
  _ y: UnsafeMutableRawPointer, as: Elements.Type
) {
  let y = y.assumingMemoryBound(to: Elements.Scalar.self)
  let scale = Lanes(repeating: map.scale)
  // Exceeds all 16-bit integers with any zero point, and can still be rounded exactly.
  let limit = Lanes(repeating: 0x1p20)
  let zeroPoint = Sums(repeating: map.zeroPoint)
  let low = Sums(repeating: range.lowerBound)
  let high = Sums(repeating: range.upperBound)
  var i = 0
  while i < count {
    let quotient: Lanes = load(x + i) / scale
    let raised = (-limit).replacing(with: quotient, where: quotient .> -limit)
    let held = raised.replacing(with: limit, where: raised .> limit)
    Elements.store(clamp(integers(rounded(held)) &+ zeroPoint, low, high), to: y + i)
    i &+= Lanes.scalarCount
  }
}

@inline(never)
private func dequantize<Elements: QuantizedLanes>(
  _ x: UnsafeRawPointer, _ count: Int, _ map: AffineMap, _ y: UnsafeMutablePointer<Float>,
  as: Elements.Type
) {
  let x = x.assumingMemoryBound(to: Elements.Scalar.self)
  let scale = Lanes(repeating: map.scale)
  let zeroPoint = Sums(repeating: map.zeroPoint)
  var i = 0
  while i < count {
    store(scale * floats(Elements.load(x + i) &- zeroPoint), to: y + i)
    i &+= Lanes.scalarCount
  }
}
