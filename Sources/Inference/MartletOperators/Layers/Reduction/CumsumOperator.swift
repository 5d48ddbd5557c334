//===--- CumsumOperator.swift - CUMSUM, ADD_N -----------------------------===//
//
// CUMSUM  Inputs  0 x: float32, int32 or int64 of at least one axis; 1 the axis: one int32, counted
//                 from the end if negative.
//         Options CumsumOptions: whether sums exclude their own element, and run from the end.
// ADD_N   Inputs  two or more: float32 or int32, of one shape; added in their order.
// Output  0 y: as the first input.
// Source  LiteRT 2.3.0 `cumsum.cc`, `add_n.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let cumsum = Registration(.cumsum, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    guard case .cumsum(let options) = p.operation.options else { throw .options(node: p.node) }
    try p.shape(ofInput: 0, ranks: 1...Shape.maximumRank)
    switch try p.input(0).type {
    case .float32: return try prepareCumsum(&p, options, zero: Float(0))
    case .int32: return try prepareCumsum(&p, options, zero: Int32(0))
    case .int64: return try prepareCumsum(&p, options, zero: Int64(0))
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }

  static let addN = Registration(.addN, versions: 1...1, traits: OperatorTraits(typeOperand: 0)) {
    p throws(InferenceError) in
    try p.expect(inputs: 2...Int.max)
    switch try p.input(0).type {
    case .float32: return try prepareAddN(&p, Float.self)
    case .int32: return try prepareAddN(&p, Int32.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

private func prepareCumsum<Scalar: ArithmeticElement>(
  _ p: inout Preparation, _ options: CumsumOptions, zero: Scalar
) throws(InferenceError) -> Evaluate {
  let (x, y) = try p.elementwise(as: Scalar.self)
  let axis = try p.axis(try p.integer(of: 1), of: x.shape)
  let inner = x.shape.product(axis + 1..<x.shape.rank)
  return { e in
    Reference.cumsum(
      e[x], depth: x.shape[axis], inner: inner, isExclusive: options.exclusive,
      isReversed: options.reverse, zero: zero, into: e[y])
  }
}

private func prepareAddN<Scalar: ArithmeticElement>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (first, y) = try p.elementwise(as: Scalar.self)
  var others: [Operand<Scalar>] = []
  for index in 1..<p.inputCount {
    let other = try p.input(index, as: Scalar.self)
    guard other.shape == first.shape else {
      throw .elementCount(
        node: p.node, operand: .input(index), found: other.count, expected: first.count)
    }
    others.append(other)
  }
  return { [others] e in
    Reference.map(e[first], into: e[y]) { $0 }
    for other in others {
      for i in 0..<first.count { e[y][i] = Scalar.sum(e[y][i], e[other][i]) }
    }
  }
}
