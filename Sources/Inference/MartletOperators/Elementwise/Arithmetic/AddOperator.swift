//===--- AddOperator.swift - ADD and SUB ----------------------------------===//
//
// Inputs  0 a, 1 b: shapes that broadcast, one type of float32, int32, int64, quantized uint8,
//         int8, int16, or int16 without scales; ADD also float16.
// Output  0 y: the broadcast shape, their type.
// Options AddOptions, SubOptions: fused activation; whether 16-bit scales are powers of two.
// Source  LiteRT 2.3.0 `add.cc`, `sub.cc`, `reference/add.h`, `reference/sub.h`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

extension Registration {
  package static let add = Registration(
    .add, versions: 1...6,
    traits: OperatorTraits(
      cost: .pairs(.slow), typeOperand: 0,
      isFusible: true)
  ) { p throws(InferenceError) in
    switch p.operation.options {
    case .add(let options):
      try prepareSum(&p, .sum, options.activation, shifts: options.potScaleInt16)
    case .none: try prepareSum(&p, .sum, .none, shifts: true)
    default: throw .options(node: p.node)
    }
  }
  static let sub = Registration(
    .sub, versions: 1...5,
    traits: OperatorTraits(
      cost: .pairs(.slow), typeOperand: 0,
      isFusible: true)
  ) { p throws(InferenceError) in
    switch p.operation.options {
    case .sub(let options):
      try prepareSum(&p, .difference, options.activation, shifts: options.potScaleInt16)
    case .none: try prepareSum(&p, .difference, .none, shifts: true)
    default: throw .options(node: p.node)
    }
  }
}

private func prepareSum(
  _ p: inout Preparation, _ kind: QuantizedSum.Kind, _ activation: Activation, shifts: Bool
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 2...2)
  p.mayOverwrite(inputs: 0, 1)
  switch try p.input(0).type {
  case .float32:
    let range = try p.floatRange(of: activation)
    if let fast = try p.fastPairs(kind == .sum ? .sum : .difference, clampedTo: range) {
      return fast
    }
    return try preparePlainSum(&p, kind, range: range)
  case .float16:
    return try preparePlainSum(&p, kind, range: try p.halfRange(of: activation))
  case .int32:
    let range = try p.integerRange(of: activation, as: Int32.self)
    return try preparePlainSum(&p, kind, range: range)
  case .int64:
    let range = try p.integerRange(of: activation, as: Int64.self)
    return try preparePlainSum(&p, kind, range: range)
  case .uint8: return try prepareQuantizedSum(&p, kind, activation, UInt8.self)
  case .int8: return try prepareQuantizedSum(&p, kind, activation, Int8.self)
  case .int16:
    if try p.output(0).quantization == nil {
      let range = try p.integerRange(of: activation, as: Int16.self)
      return try preparePlainSum(&p, kind, range: range)
    }
    if shifts, let evaluate = try prepareShiftedSum(&p, kind, activation) { return evaluate }
    return try prepareQuantizedSum(&p, kind, activation, Int16.self)
  case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
  }
}

private func preparePlainSum<Scalar: ArithmeticElement>(
  _ p: inout Preparation, _ kind: QuantizedSum.Kind, range: ClosedRange<Scalar>
) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self)
  if kind == .sum {
    return { e in Reference.add(e[a], e[b], walk, range: range, into: e[y], workers: e.workers) }
  }
  return { e in Reference.subtract(e[a], e[b], walk, range: range, into: e[y], workers: e.workers) }
}

private func prepareQuantizedSum<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ kind: QuantizedSum.Kind, _ activation: Activation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self)
  let map = try p.perTensorQuantization(output: 0)
  let sum = QuantizedSum(
    kind, try p.perTensorQuantization(input: 0),
    try p.perTensorQuantization(input: 1), to: map,
    extraBits: Scalar.bitWidth == 16 ? 15 : 20,
    range: try p.quantizedRange(of: activation, output: map, as: Scalar.self))
  if p.kernels == .fast,
    let pairs = QuantizedArithmetic(sum, walk, of: Scalar.elementType, workers: p.workerCount)
  {
    return { e in e.combine(a, b, into: y, by: pairs) }
  }
  return { e in Reference.add(e[a], e[b], walk, sum, into: e[y], workers: e.workers) }
}

/// Prepares 16-bit tensors whose scales are powers of two: one operand has the output's scale, the
/// other is shifted. `nil` for all other tensors.
private func prepareShiftedSum(
  _ p: inout Preparation, _ kind: QuantizedSum.Kind, _ activation: Activation
) throws(InferenceError) -> Evaluate? {
  let map = try p.perTensorQuantization(output: 0)
  guard let exponentA = exponent(of: try p.perTensorQuantization(input: 0)),
    let exponentB = exponent(of: try p.perTensorQuantization(input: 1)),
    let exponentY = exponent(of: map)
  else { return nil }
  let shiftA = Int32(exponentY - exponentA)
  let shiftB = Int32(exponentY - exponentB)
  guard min(shiftA, shiftB) == 0, max(shiftA, shiftB) <= 31 else { return nil }
  let (a, b, y, walk) = try p.broadcastOperands(Int16.self)
  let range = try p.quantizedRange(of: activation, output: map, as: Int16.self)
  let sign: Int32 = kind == .sum ? 1 : -1
  return { e in
    walk.combineEach(e[a], e[b], into: e[y], workers: e.workers) {
      let left = roundingShiftRight(Int32($0), by: shiftA)
      let right = roundingShiftRight(Int32($1), by: shiftB)
      return Int16(truncatingIfNeeded: Reference.clamp(left &+ sign &* right, range))
    }
  }
}

/// The exponent of a symmetric map's scale, or `nil` unless it is a power of two within tolerance.
private func exponent(of map: Quantization) -> Int? {
  guard map.zeroPoint == 0, map.scale.isNormal, map.scale > 0 else { return nil }
  let nearest = Int(map.scale.exponent) + (map.scale.significand > 1.5 ? 1 : 0)
  let power = Float(sign: .plus, exponent: nearest, significand: 1)
  // LiteRT requires a logarithm within 1e-3 of an integer, that is, 0.0693 % of the scale.
  return (map.scale / power - 1).magnitude < 6.93e-4 ? nearest : nil
}
