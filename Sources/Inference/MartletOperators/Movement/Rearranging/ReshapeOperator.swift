//===--- ReshapeOperator.swift - RESHAPE, SQUEEZE, EXPAND_DIMS ------------===//
//
// The same elements with other extents.
//
// Inputs  0 x: any type. RESHAPE: 1 the extents, int32, if not in the options; one may be -1, which
//         is computed. EXPAND_DIMS: 1 the axis, one int32 or int64.
// Output  0 y: as many elements as x.
// Options ReshapeOptions: the extents; SqueezeOptions: the axes to remove, or all of extent 1 if
//         none are named.
// Source  LiteRT 2.3.0 `reshape.cc`, `squeeze.cc`, `expand_dims.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

/// The inputs.
private enum Input {
  static let x = 0
  static let extents = 1
  static let axis = 1
}

extension Registration {
  package static let reshape = Registration(
    .reshape, versions: 1...1, traits: OperatorTraits(strings: .firstInput)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 1...2)
    let x = try p.input(Input.x).shape
    return try prepareCopy(&p, shape: try reshaped(x, to: try newExtents(p), p))
  }

  static let squeeze = Registration(
    .squeeze, versions: 1...2, traits: OperatorTraits(strings: .firstInput)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    return try prepareCopy(&p, shape: try squeezed(p))
  }

  static let expandDims = Registration(
    .expandDims, versions: 1...1, traits: OperatorTraits(strings: .firstInput)
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    let index = try p.integer(of: Input.axis)
    var extents = try p.input(Input.x).shape.dimensions
    let axis = index < 0 ? index + extents.count + 1 : index
    guard (0...extents.count).contains(axis) else {
      throw .option(node: p.node, name: "axis", value: index)
    }
    extents.insert(1, at: axis)
    return try prepareCopy(&p, shape: try p.shape(extents))
  }
}

private func prepareCopy(
  _ p: inout Preparation, shape: Shape
) throws(InferenceError) -> Evaluate {
  let x = try p.inputBytes(Input.x)
  let y = try p.outputBytes(0, typedAs: Input.x, shape: shape)
  p.mayAlias(input: Input.x)
  return { e in
    if e[x] != e[y] { e[y].copyMemory(from: e[x], byteCount: x.byteCount) }
  }
}

/// The extents in the file, with -1 for one to compute.
private func newExtents(_ p: Preparation) throws(InferenceError) -> [Int] {
  if p.hasInput(Input.extents) {
    let info = try p.input(Input.extents)
    if info.type == .int32, info.shape.rank == 1 { return try p.integers(of: Input.extents) }
  }
  guard case .reshape(let options) = p.operation.options, let extents = options.newShape else {
    throw .missingOperand(node: p.node, operand: .input(Input.extents))
  }
  // Old converters write one zero for a scalar.
  return extents == [0] ? [] : extents
}

private func reshaped(
  _ shape: Shape, to extents: [Int], _ p: Preparation
) throws(InferenceError) -> Shape {
  var extents = extents
  if let stretched = extents.firstIndex(of: -1) {
    extents[stretched] = 1
    let rest = try p.shape(extents)
    // With zero extents on both sides, the product of the other extents determines the result.
    let product = rest.dimensions.reduce(1) { $1 == 0 ? $0 : $0 * $1 }
    let wanted = shape.dimensions.reduce(1) { $1 == 0 ? $0 : $0 * $1 }
    let isEmpty = shape.elementCount == 0 && rest.elementCount != 0
    extents[stretched] = isEmpty ? 0 : wanted / product
  }
  let result = try p.shape(extents)
  guard result.elementCount == shape.elementCount else {
    throw .elementCount(
      node: p.node, operand: .output(0), found: result.elementCount, expected: shape.elementCount)
  }
  return result
}

private func squeezed(_ p: Preparation) throws(InferenceError) -> Shape {
  let shape = try p.input(Input.x).shape
  var axes: [Int] = []
  switch p.operation.options {
  case .squeeze(let options):
    for index in options.dimensions {
      let axis = try p.axis(index, of: shape)
      guard shape[axis] == 1 else {
        throw .extent(
          node: p.node, operand: .input(Input.x), axis: axis, found: shape[axis], expected: 1)
      }
      axes.append(axis)
    }
  case .none: break
  default: throw .options(node: p.node)
  }
  let all = axes.isEmpty
  let kept = (0..<shape.rank).filter { all ? shape[$0] != 1 : !axes.contains($0) }
  return try p.shape(kept.map { shape[$0] })
}
