//===--- ExpOperator.swift - EXP, LOG, SQRT, RSQRT ------------------------===//
//
// Input   0 x: float32, quantized int8 or int16.
// Output  0 y: x's type and shape. If the function is undefined for a quantized argument, the
//         result is a bound of the output: LOG the lowest, RSQRT the highest, SQRT the value of
//         zero.
// Source  LiteRT 2.3.0 `exp.cc`, `elementwise.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let exp = Registration(.exp, versions: 1...2, traits: OperatorTraits(typeOperand: 0)) {
    p throws(InferenceError) in
    switch try p.input(0).type {
    case .float32: try p.prepareLanes(.exp) { VectorMath.exp($0) }
    default: try prepareTable(&p) { argument, _ in Float(VectorMath.exp(Double(argument))) }
    }
  }

  static let log = Registration(.log, versions: 1...2) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .float32: try p.prepareLanes { VectorMath.log($0) }
    default:
      try prepareTable(&p) { argument, range in
        argument > 0 ? Float(VectorMath.log(Double(argument))) : range.lowerBound
      }
    }
  }

  static let sqrt = Registration(.sqrt, versions: 1...2) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .float32: try p.prepareLanes(.squareRoot) { $0.squareRoot() }
    case .int8: try prepareRoot(&p, Int8.self)
    default: try prepareRoot(&p, Int16.self)
    }
  }

  static let rsqrt = Registration(.rsqrt, versions: 1...3) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .float32: try p.prepareLanes(.inverseSquareRoot) { 1 / $0.squareRoot() }
    case .int8: try prepareInverseRoot(&p)
    default:
      try prepareTable(&p) { argument, range in
        argument > 0 ? 1 / argument.squareRoot() : range.upperBound
      }
    }
  }
}

/// A table of `function`, whose arguments are the real number and the range of the output.
private func prepareTable(
  _ p: inout Preparation, _ function: (Float, ClosedRange<Float>) -> Float
) throws(InferenceError) -> Evaluate {
  if try p.input(0).type == .int8 {
    let range = realRange(of: try p.perTensorQuantization(output: 0), Int8.self)
    return try p.prepareByteTable(Int8.self) { function($0, range) }
  }
  let range = realRange(of: try p.perTensorQuantization(output: 0), Int16.self)
  return try p.prepareShortTable { function($0, range) }
}

/// The range of real numbers that an output of this map can represent.
private func realRange<Scalar: FixedWidthInteger>(
  of map: Quantization, _: Scalar.Type
) -> ClosedRange<Float> {
  func real(_ element: Scalar) -> Float { Float(Int(element) - map.zeroPoint) * map.scale }
  return real(Scalar.min)...real(Scalar.max)
}

/// LiteRT computes the root in single precision and truncates it.
private func prepareRoot<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 1...1)
  let (x, y) = try p.elementwiseInPlace(as: Scalar.self)
  let from = try p.perTensorQuantization(input: 0)
  let to = try p.perTensorQuantization(output: 0)
  return { e in
    Reference.map(e[x], into: e[y], workers: e.workers) { element in
      let argument = from.scale * Float(Int(element) - from.zeroPoint)
      let steps = Swift.max(argument, 0).squareRoot() / to.scale
      let index = Int(Swift.min(steps, 0x1p24)) + to.zeroPoint
      return Scalar(
        truncatingIfNeeded: Swift.min(Swift.max(index, Int(Scalar.min)), Int(Scalar.max)))
    }
  }
}

private func prepareInverseRoot(_ p: inout Preparation) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 1...1)
  let (x, y) = try p.elementwiseInPlace(as: Int8.self)
  let table = ByteTable<Int8>.inverseSquareRoot(
    input: try p.perTensorQuantization(input: 0),
    output: try p.perTensorQuantization(output: 0))
  return { e in
    e.split(x, y) { x, y in Reference.lookUp(x, in: table, into: y) }
  }
}
