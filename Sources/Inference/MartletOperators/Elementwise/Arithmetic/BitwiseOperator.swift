//===--- BitwiseOperator.swift - BITWISE_XOR, RIGHT_SHIFT -----------------===//
//
// Inputs  0 a, 1 b: shapes that broadcast, one integer type of 8, 16 or 32 bits, signed or not.
//         RIGHT_SHIFT shifts a by b bits, clamped to 0...width - 1; signed types extend the sign.
// Output  0 y: the broadcast shape, their type.
// Source  LiteRT 2.3.0 `bitwise_xor.cc`, `right_shift.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let bitwiseXor = Registration(.bitwiseXor, versions: 1...1) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .int8: try prepareXor(&p, Int8.self)
    case .uint8: try prepareXor(&p, UInt8.self)
    case .int16: try prepareXor(&p, Int16.self)
    case .uint16: try prepareXor(&p, UInt16.self)
    case .int32: try prepareXor(&p, Int32.self)
    case .uint32: try prepareXor(&p, UInt32.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }

  static let rightShift = Registration(.rightShift, versions: 1...1) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .int8: try prepareShift(&p, Int8.self)
    case .uint8: try prepareShift(&p, UInt8.self)
    case .int16: try prepareShift(&p, Int16.self)
    case .uint16: try prepareShift(&p, UInt16.self)
    case .int32: try prepareShift(&p, Int32.self)
    case .uint32: try prepareShift(&p, UInt32.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

private func prepareXor<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 2...2)
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self)
  return { e in walk.combine(e[a], e[b], into: e[y], workers: e.workers) { $0 ^ $1 } }
}

private func prepareShift<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 2...2)
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self)
  let places: ClosedRange<Scalar> = 0...Scalar(Scalar.bitWidth - 1)
  return { e in
    walk.combineEach(e[a], e[b], into: e[y], workers: e.workers) {
      $0 &>> Reference.clamp($1, places)
    }
  }
}
