//===--- NormalizeOperator.swift - L2_NORMALIZATION -----------------------===//
//
// Inputs  0 x: float32, uint8 or int8; rows along the last axis.
// Output  0 y: as x; quantized results have steps of 2⁻⁷ around 128 (uint8) or 0 (int8).
// Source  LiteRT 2.3.0 `l2norm.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let l2Normalization = Registration(.l2Normalization, versions: 1...2) {
    p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    if case .l2Norm(let options) = p.operation.options, options.activation != .none {
      throw .option(
        node: p.node, name: "fused_activation_function", value: Int(options.activation.rawValue))
    }
    let shape = try p.shape(ofInput: 0, ranks: 1...Shape.maximumRank)
    let depth = shape[shape.rank - 1]
    switch try p.input(0).type {
    case .float32:
      let (x, y) = try p.elementwise(as: Float.self)
      return { e in Reference.normalize(e[x], depth: depth, into: e[y]) }
    case .uint8: return try prepareByte(&p, depth: depth, center: 128, as: UInt8.self)
    case .int8: return try prepareByte(&p, depth: depth, center: 0, as: Int8.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

private func prepareByte<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, depth: Int, center: Int, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (x, y) = try p.elementwise(as: Scalar.self)
  let zeroPoint = Int32(try p.perTensorQuantization(input: 0).zeroPoint)
  let result = try p.perTensorQuantization(output: 0)
  guard result.scale == 0x1p-7 else { throw .quantization(node: p.node, operand: .output(0)) }
  guard result.zeroPoint == center else {
    throw .zeroPoint(
      node: p.node, operand: .output(0), found: result.zeroPoint, expected: center...center)
  }
  return { e in
    Reference.normalize(
      e[x], zeroPoint: zeroPoint, depth: depth, center: Int32(center), into: e[y])
  }
}
