//===--- WhereOperator.swift - WHERE --------------------------------------===//
//
// Input   0 x: bool, float32, uint8, int8, int32, uint32 or int64, at least one axis.
// Output  0 y: int64, a row of coordinates for each element that is not zero. Its extents depend on
//         x's values.
// Source  LiteRT 2.3.0 `where.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let `where` = Registration(.where, versions: 1...2) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    switch try p.input(0).type {
    // A file may contain any byte for a bool.
    case .bool:
      let x = try p.input(0)
      return try prepareWhere(&p, Operand<UInt8>(slot: x.index, shape: x.shape))
    case .float32: return try prepareWhere(&p, try p.input(0, as: Float.self))
    case .uint8: return try prepareWhere(&p, try p.input(0, as: UInt8.self))
    case .int8: return try prepareWhere(&p, try p.input(0, as: Int8.self))
    case .int32: return try prepareWhere(&p, try p.input(0, as: Int32.self))
    case .uint32: return try prepareWhere(&p, try p.input(0, as: UInt32.self))
    case .int64: return try prepareWhere(&p, try p.input(0, as: Int64.self))
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

private func prepareWhere<Scalar: Element & Numeric>(
  _ p: inout Preparation, _ x: Operand<Scalar>
) throws(InferenceError) -> Evaluate {
  try p.shape(ofInput: 0, ranks: 1...Shape.maximumRank)
  guard let memory = p.knownMemory(ofTensor: x.slot) else {
    throw .valueNotKnown(node: p.node, operand: .input(0))
  }
  let count = (0..<x.count).count {
    memory.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Scalar>.stride, as: Scalar.self) != 0
  }
  let y = try p.output(0, as: Int64.self, shape: try p.shape([count, x.shape.rank]))
  return { e in Reference.coordinates(e[x], x.shape, into: e[y]) { $0 != 0 } }
}
