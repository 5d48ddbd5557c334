//===--- HardSwishOperator.swift - HARD_SWISH -----------------------------===//
//
// Inputs  0 x: float32, uint8 or int8 of any shape.
// Output  0 y: as x.
// Source  LiteRT 2.3.0 `activations.cc`, `hard_swish.h`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let hardSwish = Registration(.hardSwish, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    switch try p.input(0).type {
    case .float32:
      if let fast = try p.fastMap(.hardSwish) { return fast }
      return try p.prepareMap(Float.self) { x, y in Reference.hardSwish(x, into: y) }
    case .uint8: return try prepareByte(&p, as: UInt8.self)
    case .int8: return try prepareByte(&p, as: Int8.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

private func prepareByte<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  guard
    let hardSwish = ByteHardSwish(
      input: try p.perTensorQuantization(input: 0), output: try p.perTensorQuantization(output: 0))
  else { throw .quantization(node: p.node, operand: .output(0)) }
  return try p.prepareByteTable { (x: Scalar) in Scalar(clamping: hardSwish(Int32(x))) }
}
