//===--- SigmoidOperator.swift - LOGISTIC, TANH ---------------------------===//
//
// Inputs  0 x: float32, float16, bfloat16, uint8, int8 or int16 of any shape.
// Output  0 y: as x; int16 results have steps of 2⁻¹⁵ around 0.
// Source  LiteRT 2.3.0 `activations.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let logistic = Registration(.logistic, versions: 1...3) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    switch try p.input(0).type {
    case .float32:
      if let fast = try p.fastMap(.logistic) { return fast }
      return try p.prepareMap(Float.self) { x, y in Reference.logistic(x, into: y) }
    case .float16, .bfloat16: return try p.prepareRounded { VectorMath.logistic($0) }
    case .uint8: return try p.prepareByteTable(UInt8.self, logistic(_:))
    case .int8: return try p.prepareByteTable(Int8.self, logistic(_:))
    case .int16:
      let (x, y) = try p.elementwiseInPlace(as: Int16.self)
      let table = try p.sigmoidTable(exponents: 0...0)
      return { e in
        e.split(x, y) { x, y in Reference.logistic(x, by: table, into: y) }
      }
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }

  static let tanh = Registration(.tanh, versions: 1...3) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    switch try p.input(0).type {
    case .float32:
      if let fast = try p.fastMap(.tanh) { return fast }
      return try p.prepareMap(Float.self) { x, y in Reference.tanh(x, into: y) }
    case .float16, .bfloat16: return try p.prepareRounded { VectorMath.tanh($0) }
    case .uint8: return try p.prepareByteTable(UInt8.self, tanh(_:))
    case .int8: return try p.prepareByteTable(Int8.self, tanh(_:))
    case .int16:
      let (x, y) = try p.elementwiseInPlace(as: Int16.self)
      let table = try p.sigmoidTable(exponents: 0...1)
      return { e in
        e.split(x, y) { x, y in Reference.tanh(x, by: table, into: y) }
      }
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

/// The logistic function for tables: the exponential is correctly rounded, the rest is in single
/// precision.
private func logistic(_ x: Float) -> Float { 1 / (1 + Float(VectorMath.exp(Double(-x)))) }

private func tanh(_ x: Float) -> Float { Float(VectorMath.tanh(Double(x))) }

extension Preparation {
  fileprivate func sigmoidTable(
    exponents: ClosedRange<Double>
  ) throws(InferenceError) -> SigmoidTable {
    try expectSymmetric(inputs: [0], outputs: [0])
    guard try perTensorQuantization(output: 0).scale == 0x1p-15 else {
      throw .quantization(node: node, operand: .output(0))
    }
    return SigmoidTable(
      scale: try perTensorQuantization(input: 0).scale, exponents: exponents)
  }
}
