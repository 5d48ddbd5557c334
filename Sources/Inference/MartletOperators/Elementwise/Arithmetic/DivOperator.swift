//===--- DivOperator.swift - DIV ------------------------------------------===//
//
// Inputs  0 a, 1 b: shapes that broadcast, one type of float32, int32, quantized uint8, int8, int16.
//         An integer divisor of zero is an error.
// Output  0 y: the broadcast shape, their type.
// Options DivOptions: fused activation.
// Source  LiteRT 2.3.0 `div.cc`, `reference/div.h`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let div = Registration(
    .div, versions: 1...2, traits: OperatorTraits(cost: .pairs(.slow), typeOperand: 0)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    p.mayOverwrite(inputs: 0, 1)
    var activation = Activation.none
    switch p.operation.options {
    case .div(let options): activation = options.activation
    case .none: break
    default: throw .options(node: p.node)
    }
    switch try p.input(0).type {
    case .float32: return try prepareFloat(&p, activation)
    case .int32: return try prepareInteger(&p, activation)
    case .uint8: return try prepareQuantized(&p, activation, UInt8.self)
    case .int8: return try prepareQuantized(&p, activation, Int8.self)
    case .int16: return try prepareQuantized(&p, activation, Int16.self)
    case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
    }
  }
}

private func prepareFloat(
  _ p: inout Preparation, _ activation: Activation
) throws(InferenceError) -> Evaluate {
  let range = try p.floatRange(of: activation)
  if let fast = try p.fastPairs(.quotient, clampedTo: range) { return fast }
  let (a, b, y, walk) = try p.broadcastOperands(Float.self)
  return { e in Reference.divide(e[a], e[b], walk, range: range, into: e[y], workers: e.workers) }
}

private func prepareInteger(
  _ p: inout Preparation, _ activation: Activation
) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Int32.self)
  let range = try p.integerRange(of: activation, as: Int32.self)
  return { [node = p.node] e throws(InferenceError) in
    guard !e[b].contains(0) else { throw .divisionByZero(node: node, operand: .input(1)) }
    Reference.divide(e[a], e[b], walk, range: range, into: e[y], workers: e.workers)
  }
}

private func prepareQuantized<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ activation: Activation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self)
  let map = try p.perTensorQuantization(output: 0)
  let divisor = try p.perTensorQuantization(input: 1)
  let quotient = QuantizedQuotient(
    try p.perTensorQuantization(input: 0), divisor, to: map,
    range: try p.quantizedRange(of: activation, output: map, as: Scalar.self))
  let zero = Scalar(truncatingIfNeeded: divisor.zeroPoint)
  return { [node = p.node] e throws(InferenceError) in
    guard !e[b].contains(zero) else { throw .divisionByZero(node: node, operand: .input(1)) }
    Reference.divide(e[a], e[b], walk, quotient, into: e[y], workers: e.workers)
  }
}
