//===--- QuantizeOperator.swift - QUANTIZE, DEQUANTIZE --------------------===//
//
// QUANTIZE    Inputs  0 x: float32, or an integer that is requantized, of any shape
//             Output  0 y: uint8, int8, int16 or (from int16) int32; from float32 also narrower
//                     integers, and there may be a scale for each slice along an axis.
// DEQUANTIZE  Inputs  0 x: integers of up to 16 bits with one scale or one for each slice, or
//                     float16
//             Output  0 y: float32.
// Source      LiteRT 2.3.0 `quantize.cc`, `dequantize.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

extension Registration {
  package static let quantize = Registration(.quantize, versions: 1...6) {
    p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    switch (try p.input(0).type, try p.output(0).type) {
    case (.float32, .uint8): return try prepareQuantize(&p, to: UInt8.self)
    case (.float32, .int8): return try prepareQuantize(&p, to: Int8.self)
    case (.float32, .int16): return try prepareQuantize(&p, to: Int16.self)
    case (.uint8, .uint8): return try prepareRequantize(&p, from: UInt8.self, to: UInt8.self)
    case (.uint8, .int8): return try prepareRequantize(&p, from: UInt8.self, to: Int8.self)
    case (.uint8, .int16): return try prepareRequantize(&p, from: UInt8.self, to: Int16.self)
    case (.int8, .uint8): return try prepareRequantize(&p, from: Int8.self, to: UInt8.self)
    case (.int8, .int8): return try prepareRequantize(&p, from: Int8.self, to: Int8.self)
    case (.int8, .int16): return try prepareRequantize(&p, from: Int8.self, to: Int16.self)
    case (.int16, .int8): return try prepareRequantize(&p, from: Int16.self, to: Int8.self)
    case (.int16, .int16): return try prepareRequantize(&p, from: Int16.self, to: Int16.self)
    case (.int16, .int32): return try prepareRequantize(&p, from: Int16.self, to: Int32.self)
    case (.int32, .int8): return try prepareRequantize(&p, from: Int32.self, to: Int8.self)
    case (.int32, .int16): return try prepareRequantize(&p, from: Int32.self, to: Int16.self)
    case (_, let found): throw .unsupportedType(node: p.node, operand: .output(0), found: found)
    }
  }

  static let dequantize = Registration(.dequantize, versions: 1...9) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    switch try p.input(0).type {
    case .uint8: return try prepareDequantize(&p, from: UInt8.self)
    case .int8: return try prepareDequantize(&p, from: Int8.self)
    case .int16: return try prepareDequantize(&p, from: Int16.self)
    case .float16:
      let x = try p.inputBytes(0)
      let y = try p.output(0, as: Float.self, shape: x.shape)
      return { e in Reference.dequantize(half: e[x], into: e[y], workers: e.workers) }
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

extension Preparation {
  /// The scales of a tensor of shape `shape`; throws if they are invalid.
  fileprivate func layout(
    of tensor: TensorInfo, at place: OperandPlace, shape: Shape, isFactor: Bool = false
  ) throws(InferenceError) -> ScaleLayout {
    guard let map = tensor.quantization,
      map.isPerTensor
        || (map.axis >= 0 && map.axis < shape.rank && map.scales.count == shape[map.axis])
    else { throw .quantization(node: node, operand: place) }
    try takePrepared(map.scales.count, of: 2 * MemoryLayout<Float>.stride)
    try check(map, of: tensor, at: place, isFactor: isFactor)
    return ScaleLayout(map, of: shape)
  }
}

private func prepareQuantize<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, to: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Float.self)
  let (y, range) = try p.outputAndRange(0, as: Scalar.self, shape: x.shape)
  let layout = try p.layout(of: try p.output(0), at: .output(0), shape: x.shape)
  if p.kernels == .fast, let fast = Quantizing(layout, of: Scalar.elementType) {
    let limits =
      Int32(
        truncatingIfNeeded: range.lowerBound)...Int32(
        truncatingIfNeeded: range.upperBound)
    return { e in
      guard let y = e[y].baseAddress else { return }
      fast.quantize(e[x], clampedTo: limits, into: y, workers: e.workers)
    }
  }
  return { e in Reference.quantize(e[x], layout, clampedTo: range, into: e[y]) }
}

private func prepareDequantize<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, from: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Scalar.self)
  let y = try p.output(0, as: Float.self, shape: x.shape)
  let layout = try p.layout(
    of: try p.input(0), at: .input(0), shape: x.shape, isFactor: true)
  if p.kernels == .fast, let fast = Quantizing(layout, of: Scalar.elementType) {
    return { e in
      guard let x = e[x].baseAddress else { return }
      fast.dequantize(x, into: e[y], workers: e.workers)
    }
  }
  return { e in Reference.dequantize(e[x], layout, into: e[y]) }
}

private func prepareRequantize<
  Scalar: Element & FixedWidthInteger, Result: Element & FixedWidthInteger
>(
  _ p: inout Preparation, from: Scalar.Type, to: Result.Type
) throws(InferenceError) -> Evaluate {
  let source = try p.perTensorQuantization(input: 0)
  let result = try p.perTensorQuantization(output: 0)
  let requantizer = Requantizer(
    multipliers: [FixedPointMultiplier(Double(source.scale) / Double(result.scale))],
    zeroPoint: Int32(result.zeroPoint),
    range: Int32(truncatingIfNeeded: Result.min)...Int32(truncatingIfNeeded: Result.max))
  let offset = 0 &- Int32(source.zeroPoint)
  if Scalar.bitWidth == 8 {
    return try p.prepareByteTable { (x: Scalar) in
      let value = Int32(truncatingIfNeeded: x) &+ offset
      return Result(truncatingIfNeeded: requantizer(value, channel: 0))
    }
  }
  p.mayOverwrite(inputs: 0)
  let x = try p.input(0, as: Scalar.self)
  let y = try p.output(0, as: Result.self, shape: x.shape)
  return { e in
    e.split(x, y) { x, y in Reference.requantize(x, offset: offset, requantizer, into: y) }
  }
}
