//===--- FillOperator.swift - FILL, ZEROS_LIKE, RANGE ---------------------===//
//
// FILL        Inputs  0 the extents: one axis of int32 or int64, not negative; 1 the value: one
//                     element of any type.
//             Output  0 y: every element is the value; its quantization is the value's.
// ZEROS_LIKE  Input   0 x: float32, int32 or int64. Output 0 y: x's shape and type, zeros.
// RANGE       Inputs  0 start, 1 limit, 2 delta: one element each, float32, int32 or int64. Delta
//                     must have the sign of limit - start; the limit is excluded.
//             Output  0 y: start, start + delta, and so on; floats are added one by one, rounding
//                     each time.
// Source      LiteRT 2.3.0 `fill.cc`, `zeros_like.cc`, `range.cc`. LiteRT's count of integers in a
//             range overflows if limit - start does; this one does not.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs of FILL.
private enum Input {
  static let extents = 0
  static let value = 1
}

/// The inputs of RANGE.
private enum RangeInput {
  static let start = 0
  static let limit = 1
  static let delta = 2
}

extension Registration {
  static let fill = Registration(
    .fill, versions: 1...5,
    traits: OperatorTraits(strings: StringOperands(from: 1, count: 1), typeOperand: 1)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    try p.shape(ofInput: Input.extents, ranks: 1...1)
    let value = try p.inputBytes(Input.value)
    try p.expectCount(1, input: Input.value)
    let shape = try p.shape(try p.integers(of: Input.extents))
    let y = try p.outputBytes(0, typedAs: Input.value, shape: shape)
    let fill = StridedCopy(filling: y)
    return { e in fill(from: e[value], to: e[y]) }
  }

  static let zerosLike = Registration(
    .zerosLike, versions: 1...1, traits: OperatorTraits(typeOperand: 0)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let x = try p.input(0)
    guard [.float32, .int32, .int64].contains(x.type) else {
      throw .unsupportedType(node: p.node, operand: .input(0), found: x.type)
    }
    let y = try p.outputBytes(0, typedAs: 0, shape: x.shape)
    return { e in e[y].initializeMemory(as: UInt8.self, repeating: 0, count: y.byteCount) }
  }

  static let range = Registration(.range, versions: 1...2) { p throws(InferenceError) in
    try p.expect(inputs: 3...3)
    for index in 0..<3 { try p.expectCount(1, input: index) }
    switch try p.input(RangeInput.start).type {
    case .float32: return try prepareFloatRange(&p)
    case .int32: return try prepareIntegerRange(&p, Int32.self)
    case .int64: return try prepareIntegerRange(&p, Int64.self)
    case let found:
      throw .unsupportedType(node: p.node, operand: .input(RangeInput.start), found: found)
    }
  }
}

private func prepareIntegerRange<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let start = try p.values(of: RangeInput.start, as: Scalar.self)[0]
  let limit = try p.values(of: RangeInput.limit, as: Scalar.self)[0]
  let delta = try p.values(of: RangeInput.delta, as: Scalar.self)[0]
  guard delta > 0 ? start <= limit : delta < 0 && start >= limit else {
    throw .option(node: p.node, name: "delta", value: Int(clamping: delta))
  }
  // The distance may need all 64 bits, unsigned.
  let distance = Scalar.Magnitude(
    truncatingIfNeeded: limit > start ? limit &- start : start &- limit)
  let count = distance / delta.magnitude + (distance % delta.magnitude == 0 ? 0 : 1)
  let y = try p.output(0, as: Scalar.self, shape: try p.shape([Int(clamping: count)]))
  return { e in
    for i in 0..<y.count { e[y][i] = start &+ Scalar(truncatingIfNeeded: i) &* delta }
  }
}

private func prepareFloatRange(_ p: inout Preparation) throws(InferenceError) -> Evaluate {
  let start = try p.values(of: RangeInput.start, as: Float.self)[0]
  let limit = try p.values(of: RangeInput.limit, as: Float.self)[0]
  let delta = try p.values(of: RangeInput.delta, as: Float.self)[0]
  guard delta > 0 ? start <= limit : delta < 0 && start >= limit else {
    throw .option(node: p.node, name: "delta", value: delta > 0 ? 1 : delta < 0 ? -1 : 0)
  }
  let count = VectorMath.ceil(((limit - start) / delta).magnitude)
  guard count < 0x1p31 else {
    throw .tooLarge(node: p.node, bytes: Int(exactly: count * 4) ?? Int.max, limit: Int(Int32.max))
  }
  let y = try p.output(0, as: Float.self, shape: try p.shape([Int(count)]))
  return { e in
    var value = start
    for i in 0..<y.count {
      e[y][i] = value
      value += delta
    }
  }
}

extension StridedCopy {
  /// Copies one element to all of `y`.
  init(filling y: ByteOperand) {
    let axis = Axis(extent: y.shape.elementCount, source: 0, destination: y.elementSize)
    self.init([axis], elementSize: y.elementSize)
  }
}
