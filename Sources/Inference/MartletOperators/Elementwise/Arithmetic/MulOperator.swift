//===--- MulOperator.swift - MUL ------------------------------------------===//
//
// Inputs  0 a, 1 b: shapes that broadcast, one type of float32, float16, int32, uint32, int64,
//         quantized uint8, int8, int16, int16 without scales, or complex64 without activation.
// Output  0 y: the broadcast shape, their type; quantized int16 operands also give uint8 and int8.
// Options MulOptions: fused activation.
// Source  LiteRT 2.3.0 `mul.cc`, `reference/mul.h`, `reference/integer_ops/mul.h`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

extension Registration {
  static let mul = Registration(
    .mul, versions: 1...8,
    traits: OperatorTraits(
      cost: .pairs(.slow), typeOperand: 0,
      isFusible: true)
  ) { p throws(InferenceError) in
    switch p.operation.options {
    case .mul(let options): try prepareProduct(&p, options.activation)
    case .none: try prepareProduct(&p, .none)
    default: throw .options(node: p.node)
    }
  }
}

private func prepareProduct(
  _ p: inout Preparation, _ activation: Activation
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 2...2)
  p.mayOverwrite(inputs: 0, 1)
  let output = try p.output(0)
  switch try p.input(0).type {
  case .float32:
    let range = try p.floatRange(of: activation)
    if let fast = try p.fastPairs(.product, clampedTo: range) { return fast }
    return try preparePlain(&p, range: range)
  case .float16: return try preparePlain(&p, range: try p.halfRange(of: activation))
  case .complex64 where activation == .none: return try prepareComplex(&p)
  case .int32:
    return try preparePlain(&p, range: try p.integerRange(of: activation, as: Int32.self))
  case .uint32:
    return try preparePlain(&p, range: try p.integerRange(of: activation, as: UInt32.self))
  case .int64:
    return try preparePlain(&p, range: try p.integerRange(of: activation, as: Int64.self))
  case .int16 where output.type == .int16 && output.quantization == nil:
    return try preparePlain(&p, range: try p.integerRange(of: activation, as: Int16.self))
  case .uint8: return try prepareQuantized(&p, activation, UInt8.self, to: UInt8.self)
  case .int8: return try prepareQuantized(&p, activation, Int8.self, to: Int8.self)
  case .int16 where output.type == .uint8:
    return try prepareQuantized(&p, activation, Int16.self, to: UInt8.self)
  case .int16 where output.type == .int8:
    return try prepareQuantized(&p, activation, Int16.self, to: Int8.self)
  case .int16: return try prepareQuantized(&p, activation, Int16.self, to: Int16.self)
  case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
  }
}

private func preparePlain<Scalar: ArithmeticElement>(
  _ p: inout Preparation, range: ClosedRange<Scalar>
) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self)
  return { e in Reference.multiply(e[a], e[b], walk, range: range, into: e[y], workers: e.workers) }
}

private func prepareComplex(_ p: inout Preparation) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(ComplexNumber.self)
  return { e in walk.combine(e[a], e[b], into: e[y], workers: e.workers) { $0 * $1 } }
}

private func prepareQuantized<
  Scalar: Element & FixedWidthInteger, Result: Element & FixedWidthInteger
>(
  _ p: inout Preparation, _ activation: Activation, _: Scalar.Type, to: Result.Type
) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self, to: Result.self)
  let map = try p.perTensorQuantization(output: 0)
  let product = QuantizedProduct(
    try p.perTensorQuantization(input: 0), try p.perTensorQuantization(input: 1),
    to: map, range: try p.quantizedRange(of: activation, output: map, as: Result.self))
  if p.kernels == .fast, Scalar.elementType == Result.elementType {
    let pairs = QuantizedArithmetic(product, walk, of: Scalar.elementType, workers: p.workerCount)
    return { e in e.combine(a, b, into: y, by: pairs) }
  }
  return { e in Reference.multiply(e[a], e[b], walk, product, into: e[y], workers: e.workers) }
}
