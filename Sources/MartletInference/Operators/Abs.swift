//===--- Abs.swift - ABS, NEG, SQUARE, FLOOR, CEIL, ROUND -----------------===//
//
// Input   0 x: float32; ABS also int32, int8 and int16, NEG also int32 and int64.
// Output  0 y: x's type and shape. ROUND rounds ties to the even neighbour.
// Source  LiteRT 2.3.0 `elementwise.cc`, `neg.cc`, `floor.cc`, `ceil.cc`, `round.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

extension Registration {
  static let abs = Registration(.abs, versions: 1...5) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .float32:
      return try prepareMap(&p, Float.self) { x, y in Reference.map(x, into: y) { $0.magnitude } }
    case .int32:
      return try prepareMap(&p, Int32.self) { x, y in
        Reference.map(x, into: y) { $0 < 0 ? 0 &- $0 : $0 }
      }
    case .int8: return try prepareAbsolute(&p, Int8.self)
    case .int16: return try prepareAbsolute(&p, Int16.self)
    case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
    }
  }

  static let neg = Registration(.neg, versions: 1...1) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .float32:
      return try prepareMap(&p, Float.self) { x, y in
        Reference.map(x, into: y) { -$0 }
      }
    case .int32:
      return try prepareMap(&p, Int32.self) { x, y in
        Reference.map(x, into: y) { 0 &- $0 }
      }
    case .int64:
      return try prepareMap(&p, Int64.self) { x, y in
        Reference.map(x, into: y) { 0 &- $0 }
      }
    case let type: throw .unsupportedType(node: p.node, operand: .input(0), found: type)
    }
  }

  static let square = Registration(.square, versions: 1...1) { p throws(InferenceError) in
    try prepareMap(&p, Float.self) { x, y in
      Reference.map(x, into: y) { $0 * $0 }
    }
  }
  static let floor = Registration(.floor, versions: 1...1) { p throws(InferenceError) in
    try prepareMap(&p, Float.self) { x, y in
      Reference.map(x, into: y) { VectorMath.floor($0) }
    }
  }
  static let ceil = Registration(.ceil, versions: 1...1) { p throws(InferenceError) in
    try prepareMap(&p, Float.self) { x, y in
      Reference.map(x, into: y) { VectorMath.ceil($0) }
    }
  }
  static let round = Registration(.round, versions: 1...1) { p throws(InferenceError) in
    try prepareMap(&p, Float.self) { x, y in
      Reference.map(x, into: y) { VectorMath.roundToEven($0) }
    }
  }
}

/// `kernel` takes whole tensors, so that its loop is compiled for the function in it.
private func prepareMap<Scalar: Element>(
  _ p: inout Preparation, _: Scalar.Type,
  _ kernel:
    @escaping @Sendable (
      UnsafeMutableBufferPointer<Scalar>, UnsafeMutableBufferPointer<Scalar>
    ) -> Void
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 1...1)
  let x = try p.input(0, as: Scalar.self)
  let y = try p.output(0, as: Scalar.self, shape: x.shape)
  return { e in kernel(e[x], e[y]) }
}

private func prepareAbsolute<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 1...1)
  let x = try p.input(0, as: Scalar.self)
  let y = try p.output(0, as: Scalar.self, shape: x.shape)
  guard try p.input(0).quantization != nil else {
    return { e in Reference.map(e[x], into: e[y]) { $0 < 0 ? 0 &- $0 : $0 } }
  }
  let from = try p.quantization(input: 0, as: Scalar.self)
  let to = try p.quantization(output: 0, as: Scalar.self)
  let scale =
    from.scale == to.scale ? nil : FixedPointMultiplier(Double(from.scale / to.scale))
  let zeroPoints = (Int32(from.zeroPoint), Int32(to.zeroPoint))
  return { e in
    Reference.absolute(
      e[x], zeroPoint: zeroPoints.0, scale: scale, zeroPoint: zeroPoints.1, into: e[y])
  }
}
