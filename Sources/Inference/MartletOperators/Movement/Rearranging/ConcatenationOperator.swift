//===--- ConcatenationOperator.swift - CONCATENATION ----------------------===//
//
// Inputs  0... x: one type, and one shape except for one axis.
// Output  0 y: their type; along that axis, the sum of their extents.
// Options ConcatenationOptions: axis; a fused activation throws, as in LiteRT.
// Source  LiteRT 2.3.0 `concatenation.cc`, `reference/concatenation.h`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let concatenation = Registration(
    .concatenation, versions: 1...7, traits: OperatorTraits(strings: StringOperands())
  ) { p throws(InferenceError) in
    guard case .concatenation(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    guard options.activation == .none else {
      throw .option(
        node: p.node, name: "fused_activation_function", value: Int(options.activation.rawValue))
    }
    try p.expect(inputs: 1...Int(Int32.max))
    let axis = try p.axis(options.axis, of: try p.input(0).shape)
    let shape = try concatenatedShape(p, axis: axis)
    let type = try p.input(0).type
    if type == .uint8, try p.output(0).quantization != nil {
      return try prepareRescaled(&p, axis: axis, shape: shape)
    }
    if type == .int8 { try expectOneMap(p) }
    return try prepareMoved(&p, axis: axis, shape: shape)
  }
}

private func concatenatedShape(_ p: Preparation, axis: Int) throws(InferenceError) -> Shape {
  var extents = try p.input(0).shape.dimensions
  for index in 1..<p.inputCount {
    let shape = try p.input(index).shape
    try p.shape(ofInput: index, ranks: extents.count...extents.count)
    for other in 0..<extents.count where other != axis && shape[other] != extents[other] {
      throw .extent(
        node: p.node, operand: .input(index), axis: other, found: shape[other],
        expected: extents[other])
    }
    // Each term is at most Int32.max, and there are fewer terms than bytes in a file.
    extents[axis] += shape[axis]
  }
  return try p.shape(extents)
}

/// LiteRT's 8-bit kernel does not rescale.
private func expectOneMap(_ p: Preparation) throws(InferenceError) {
  let map = try p.output(0).quantization
  for index in 0..<p.inputCount {
    let other = try p.input(index).quantization
    guard other?.scales == map?.scales, other?.zeroPoints == map?.zeroPoints else {
      throw .quantization(node: p.node, operand: .input(index))
    }
  }
}

private func prepareMoved(
  _ p: inout Preparation, axis: Int, shape: Shape
) throws(InferenceError) -> Evaluate {
  let y = try p.outputBytes(0, typedAs: 0, shape: shape)
  var parts: [(ByteOperand, StridedCopy)] = []
  var start = 0
  for index in 0..<p.inputCount {
    let x = try p.inputBytes(index, typedAs: 0)
    parts.append((x, StridedCopy(x, to: y, destinationStart: start)))
    start += x.shape[axis] * y.strides[axis]
  }
  return { [parts] e in
    for (x, copy) in parts { copy(from: e[x], to: e[y], workers: e.workers) }
  }
}

private func prepareRescaled(
  _ p: inout Preparation, axis: Int, shape: Shape
) throws(InferenceError) -> Evaluate {
  let y = try p.output(0, as: UInt8.self, shape: shape)
  let map = try p.perTensorQuantization(output: 0)
  let pitch = shape.product(axis..<shape.rank)
  let inner = shape.product(axis + 1..<shape.rank)
  var parts: [(operand: Operand<UInt8>, table: ByteTable<UInt8>, start: Int)] = []
  var start = 0
  for index in 0..<p.inputCount {
    let x = try p.input(index, as: UInt8.self)
    parts.append((x, .rescaling(try p.perTensorQuantization(input: index), to: map), start))
    start += x.shape[axis] * inner
  }
  return { [parts] e in
    guard let output = e[y].baseAddress else { return }
    for part in parts {
      Reference.concatenate(
        e[part.operand], part.table, run: part.operand.shape[axis] * inner,
        into: output + part.start, pitch: pitch, workers: e.workers)
    }
  }
}

extension StridedCopy {
  /// Copies all of `x` to a box in `y` that starts at byte `destinationStart`; both have the same
  /// number of axes.
  init(_ x: ByteOperand, to y: ByteOperand, destinationStart: Int) {
    let axes = (0..<x.shape.rank).map {
      Axis(extent: x.shape[$0], source: x.strides[$0], destination: y.strides[$0])
    }
    self.init(axes, elementSize: x.elementSize, destinationStart: destinationStart)
  }

  /// Copies a box in `x` that starts at byte `sourceStart` to all of `y`; both have the same number
  /// of axes.
  init(_ x: ByteOperand, sourceStart: Int, to y: ByteOperand) {
    let axes = (0..<y.shape.rank).map {
      Axis(extent: y.shape[$0], source: x.strides[$0], destination: y.strides[$0])
    }
    self.init(axes, elementSize: x.elementSize, sourceStart: sourceStart)
  }
}
