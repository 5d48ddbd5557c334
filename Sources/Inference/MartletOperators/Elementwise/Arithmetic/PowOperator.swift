//===--- PowOperator.swift - POW ------------------------------------------===//
//
// Inputs  0 a, 1 b: shapes that broadcast, float32 or int32. A negative int32 exponent is an error.
// Output  0 aᵇ: the broadcast shape, their type.
// Source  LiteRT 2.3.0 `pow.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

extension Registration {
  static let pow = Registration(
    .pow, versions: 1...1,
    traits: OperatorTraits(cost: .pairs(.slow, perElement: 4), typeOperand: 0)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    switch try p.input(0).type {
    case .float32:
      let (a, b, y, walk) = try p.broadcastOperands(Float.self)
      return { e in Reference.power(e[a], e[b], walk, into: e[y], workers: e.workers) }
    case .int32:
      let (a, b, y, walk) = try p.broadcastOperands(Int32.self)
      return { [node = p.node] e throws(InferenceError) in
        if let negative = e[b].first(where: { $0 < 0 }) {
          throw .option(node: node, name: "exponent", value: Int(negative))
        }
        Reference.power(e[a], e[b], walk, into: e[y], workers: e.workers)
      }
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}
