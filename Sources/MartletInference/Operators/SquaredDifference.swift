//===--- SquaredDifference.swift - SQUARED_DIFFERENCE ---------------------===//
//
// Inputs  0 a, 1 b: shapes that broadcast, one type of float32, int32, quantised int8.
// Output  0 y: the broadcast shape, their type.
// Source  LiteRT 2.3.0 `squared_difference.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

extension Registration {
  static let squaredDifference = Registration(
    .squaredDifference, versions: 1...2
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    p.mayOverwrite(inputs: 0, 1)
    switch try p.input(0).type {
    case .float32: return try preparePlain(&p, Float.self)
    case .int32: return try preparePlain(&p, Int32.self)
    case .int8: return try prepareQuantized(&p)
    case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
    }
  }
}

private func preparePlain<Scalar: ArithmeticElement>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let a = try p.input(0, as: Scalar.self)
  let b = try p.input(1, as: Scalar.self)
  let walk = try p.broadcast(0, 1)
  let y = try p.output(0, as: Scalar.self, shape: walk.shape)
  return { e in Reference.squaredDifference(e[a], e[b], walk, into: e[y]) }
}

private func prepareQuantized(_ p: inout Preparation) throws(InferenceError) -> Evaluate {
  let a = try p.input(0, as: Int8.self)
  let b = try p.input(1, as: Int8.self)
  let walk = try p.broadcast(0, 1)
  let y = try p.output(0, as: Int8.self, shape: walk.shape)
  let sum = QuantizedSum(
    .squaredDifference, try p.quantization(input: 0, as: Int8.self),
    try p.quantization(input: 1, as: Int8.self), to: try p.quantization(output: 0, as: Int8.self),
    extraBits: 7, range: -128...127)
  return { e in Reference.add(e[a], e[b], walk, sum, into: e[y]) }
}
