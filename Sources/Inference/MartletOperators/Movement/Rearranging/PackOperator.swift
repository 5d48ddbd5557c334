//===--- PackOperator.swift - PACK, UNPACK --------------------------------===//
//
// PACK    Inputs 0... x: one type, one shape. Output 0 y: the inputs joined along a new axis.
// UNPACK  Input 0 x. Outputs 0... y: x's slices along an axis, without that axis.
// Options PackOptions, UnpackOptions: the axis and the number of tensors.
// Source  LiteRT 2.3.0 `pack.cc`, `unpack.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let pack = Registration(
    .pack, versions: 1...5, traits: OperatorTraits(strings: StringOperands())
  ) { p throws(InferenceError) in
    guard case .pack(let options) = p.operation.options else { throw .options(node: p.node) }
    guard options.valuesCount >= 1 else {
      throw .option(node: p.node, name: "values_count", value: options.valuesCount)
    }
    try p.expect(inputs: options.valuesCount...options.valuesCount)
    var extents = try p.input(0).shape.dimensions
    let axis = options.axis < 0 ? options.axis + extents.count + 1 : options.axis
    guard (0...extents.count).contains(axis) else {
      throw .option(node: p.node, name: "axis", value: options.axis)
    }
    for index in 1..<p.inputCount { try expectShape(extents, p, input: index) }
    extents.insert(p.inputCount, at: axis)
    let y = try p.outputBytes(0, typedAs: 0, shape: try p.shape(extents))
    var parts: [(ByteOperand, StridedCopy)] = []
    for index in 0..<p.inputCount {
      let x = try p.inputBytes(index, typedAs: 0)
      parts.append((x, copy(axis: axis, of: y.shape, x.elementSize, packs: true, index)))
    }
    return { [parts] e in
      for (x, copy) in parts { copy(from: e[x], to: e[y], workers: e.workers) }
    }
  }

  static let unpack = Registration(
    .unpack, versions: 1...6, traits: OperatorTraits(strings: .firstInput)
  ) { p throws(InferenceError) in
    guard case .unpack(let options) = p.operation.options else { throw .options(node: p.node) }
    try p.expect(inputs: 1...1, outputs: 0...Int(Int32.max))
    let x = try p.inputBytes(0)
    let axis = try p.axis(options.axis, of: x.shape)
    for count in [options.valuesCount, p.outputCount] where count != x.shape[axis] {
      throw .extent(
        node: p.node, operand: .input(0), axis: axis, found: x.shape[axis], expected: count)
    }
    var extents = x.shape.dimensions
    extents.remove(at: axis)
    var parts: [(ByteOperand, StridedCopy)] = []
    for index in 0..<p.outputCount {
      let y = try p.outputBytes(index, typedAs: 0, shape: try p.shape(extents))
      parts.append((y, copy(axis: axis, of: x.shape, x.elementSize, packs: false, index)))
    }
    return { [parts] e in
      for (y, copy) in parts { copy(from: e[x], to: e[y], workers: e.workers) }
    }
  }
}

private func expectShape(
  _ extents: [Int], _ p: Preparation, input index: Int
) throws(InferenceError) {
  let shape = try p.input(index).shape
  try p.shape(ofInput: index, ranks: extents.count...extents.count)
  for (axis, expected) in extents.enumerated() where shape[axis] != expected {
    throw .extent(
      node: p.node, operand: .input(index), axis: axis, found: shape[axis], expected: expected)
  }
}

/// The copy between slice `index` along `axis` of the packed tensor and a separate tensor.
private func copy(
  axis: Int, of packed: Shape, _ elementSize: Int, packs: Bool, _ index: Int
) -> StridedCopy {
  let inner = packed.product(axis + 1..<packed.rank) &* elementSize
  let pitch = inner &* packed[axis]
  let outer = packed.product(0..<axis)
  let axes = [
    StridedCopy.Axis(
      extent: outer, source: packs ? inner : pitch, destination: packs ? pitch : inner),
    StridedCopy.Axis(extent: inner / elementSize, source: elementSize, destination: elementSize),
  ]
  return StridedCopy(
    axes, elementSize: elementSize, sourceStart: packs ? 0 : index &* inner,
    destinationStart: packs ? index &* inner : 0)
}
