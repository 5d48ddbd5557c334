//===--- AbsOperator.swift - ABS, NEG, SIGN, SQUARE, FLOOR, CEIL, ROUND ---===//
//
// Input   0 x: float32; ABS also int32, int8 and int16; NEG also int8, int16, int32, int64, without
//         dequantizing; SIGN also float64 and int32; NEG, FLOOR and ROUND also float16 and
//         bfloat16.
// Output  0 y: x's type and shape. ROUND rounds ties to the even neighbor. SIGN of NaN is NaN; SIGN
//         of minus zero is zero.
// Source  LiteRT 2.3.0 `elementwise.cc`, `neg.cc`, `sign.cc`, `floor.cc`, `ceil.cc`, `round.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let abs = Registration(.abs, versions: 1...5) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .float32:
      return try p.prepareMap(Float.self) { x, y in Reference.map(x, into: y) { $0.magnitude } }
    case .int32:
      return try p.prepareMap(Int32.self) { x, y in
        Reference.map(x, into: y) { $0 < 0 ? 0 &- $0 : $0 }
      }
    case .int8: return try prepareAbsolute(&p, Int8.self)
    case .int16: return try prepareAbsolute(&p, Int16.self)
    case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
    }
  }

  static let neg = Registration(.neg, versions: 1...1, traits: OperatorTraits(typeOperand: 0)) {
    p throws(InferenceError) in
    switch try p.input(0).type {
    case .float32:
      return try p.prepareMap(Float.self) { x, y in
        Reference.map(x, into: y) { -$0 }
      }
    case .float16, .bfloat16: return try p.prepareRounded { -$0 }
    case .int8: return try prepareNegation(&p, Int8.self)
    case .int16: return try prepareNegation(&p, Int16.self)
    case .int32: return try prepareNegation(&p, Int32.self)
    case .int64: return try prepareNegation(&p, Int64.self)
    case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
    }
  }

  static let sign = Registration(.sign, versions: 1...2) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .float32: return try prepareSign(&p, Float.self)
    case .float64: return try prepareSign(&p, Double.self)
    case .int32: return try prepareSign(&p, Int32.self)
    case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
    }
  }

  static let square = Registration(.square, versions: 1...1) { p throws(InferenceError) in
    try p.prepareMap(Float.self) { x, y in
      Reference.map(x, into: y) { $0 * $0 }
    }
  }
  static let floor = Registration(.floor, versions: 1...1, traits: OperatorTraits(typeOperand: 0)) {
    p throws(InferenceError) in
    try prepareRounding(&p) { VectorMath.floor($0) }
  }
  static let ceil = Registration(.ceil, versions: 1...1, traits: OperatorTraits(typeOperand: 0)) {
    p throws(InferenceError) in
    try p.prepareMap(Float.self) { x, y in
      Reference.map(x, into: y) { VectorMath.ceil($0) }
    }
  }
  static let round = Registration(.round, versions: 1...1, traits: OperatorTraits(typeOperand: 0)) {
    p throws(InferenceError) in
    try prepareRounding(&p) { VectorMath.roundToEven($0) }
  }
}

@inline(__always)
private func prepareRounding(
  _ p: inout Preparation, _ function: @escaping @Sendable (Float) -> Float
) throws(InferenceError) -> Evaluate {
  switch try p.input(0).type {
  case .float16, .bfloat16: try p.prepareRounded(function)
  default: try p.prepareMap(Float.self) { x, y in Reference.map(x, into: y, function) }
  }
}

private func prepareNegation<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  try p.prepareMap(Scalar.self) { x, y in Reference.map(x, into: y) { 0 &- $0 } }
}

private func prepareSign<Scalar: Element & SignedNumeric & Comparable>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  try p.prepareMap(Scalar.self) { x, y in
    // NaN stays NaN.
    Reference.map(x, into: y) { $0 > 0 ? 1 : $0 < 0 ? -1 : $0 == 0 ? 0 : $0 }
  }
}

private func prepareAbsolute<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 1...1)
  let (x, y) = try p.elementwiseInPlace(as: Scalar.self)
  guard try p.input(0).quantization != nil else {
    return { e in Reference.map(e[x], into: e[y], workers: e.workers) { $0 < 0 ? 0 &- $0 : $0 } }
  }
  let from = try p.perTensorQuantization(input: 0)
  let to = try p.perTensorQuantization(output: 0)
  let scale =
    from.scale == to.scale ? nil : FixedPointMultiplier(Double(from.scale / to.scale))
  let zeroPoints = (Int32(from.zeroPoint), Int32(to.zeroPoint))
  return { e in
    Reference.absolute(
      e[x], zeroPoint: zeroPoints.0, scale: scale, zeroPoint: zeroPoints.1, into: e[y],
      workers: e.workers)
  }
}
