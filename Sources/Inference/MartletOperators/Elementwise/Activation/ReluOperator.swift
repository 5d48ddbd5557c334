//===--- ReluOperator.swift - RELU, RELU6, RELU_N1_TO_1, RELU_0_TO_1 ------===//
//
// Inputs  0 x: float32, uint8, int8 or int16 of any shape.
// Output  0 y: as x; quantized results may have another scale and zero point.
// Source  LiteRT 2.3.0 `activations.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let relu = Registration(.relu, versions: 1...3, traits: OperatorTraits(clamp: .relu)) {
    p throws(InferenceError) in
    try prepareClamp(&p, to: 0...Float.infinity)
  }
  static let relu6 = Registration(.relu6, versions: 1...3, traits: OperatorTraits(clamp: .relu6)) {
    p throws(InferenceError) in
    try prepareClamp(&p, to: 0...6)
  }
  static let reluN1To1 = Registration(
    .reluN1To1, versions: 1...2, traits: OperatorTraits(clamp: .reluN1To1)
  ) { p throws(InferenceError) in
    try prepareClamp(&p, to: -1...1)
  }
  static let relu0To1 = Registration(.relu0To1, versions: 1...1) { p throws(InferenceError) in
    try prepareClamp(&p, to: 0...1)
  }
}

private func prepareClamp(
  _ p: inout Preparation, to range: ClosedRange<Float>
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 1...1)
  switch try p.input(0).type {
  case .float32:
    if let fast = try p.fastMap(.clamp(range)) { return fast }
    return try p.prepareMap(Float.self) { x, y in Reference.clamp(x, to: range, into: y) }
  case .uint8: return try prepareQuantized(&p, to: range, as: UInt8.self)
  case .int8: return try prepareQuantized(&p, to: range, as: Int8.self)
  case .int16:
    try p.expectSymmetric(inputs: [0], outputs: [0])
    return try prepareQuantized(&p, to: range, as: Int16.self)
  case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
  }
}

private func prepareQuantized<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, to range: ClosedRange<Float>, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let source = try p.perTensorQuantization(input: 0)
  let result = try p.perTensorQuantization(output: 0)
  let requantizer = Requantizer(
    multipliers: [FixedPointMultiplier(Double(source.scale / result.scale))],
    zeroPoint: Int32(result.zeroPoint),
    range: p.quantizedRange(of: range, output: result, as: Scalar.self))
  let offset = -Int32(source.zeroPoint)
  if Scalar.bitWidth == 8 {
    return try p.prepareByteTable { (x: Scalar) in
      Scalar(truncatingIfNeeded: requantizer(Int32(x) &+ offset, channel: 0))
    }
  }
  return try p.prepareMap(Scalar.self) { x, y in
    Reference.requantize(x, offset: offset, requantizer, into: y)
  }
}
