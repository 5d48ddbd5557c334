//===--- SpaceToDepthOperator.swift - SPACE_TO_DEPTH, DEPTH_TO_SPACE ------===//
//
// SPACE_TO_DEPTH turns blocks of pixels into channels; DEPTH_TO_SPACE does the inverse.
//
// Input   0 x: [N, H, W, C], any type.
// Output  0 y: [N, H/b, W/b, C·b²]; for the inverse [N, H·b, W·b, C/b²].
// Options SpaceToDepthOptions, DepthToSpaceOptions: the block's side b.
// Source  LiteRT 2.3.0 `space_to_depth.cc`, `depth_to_space.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

extension Registration {
  static let spaceToDepth = Registration(
    .spaceToDepth, versions: 1...2
  ) { p throws(InferenceError) in
    guard case .spaceToDepth(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let side = try blockSide(p, options)
    let x = try p.inputBytes(0)
    for axis in 1...2 where x.shape[axis] % side != 0 {
      throw .option(node: p.node, name: "block_size", value: side)
    }
    let shape = try p.shape([
      x.shape[0], x.shape[1] / side, x.shape[2] / side, try product(x.shape[3], side, side, p),
    ])
    let y = try p.outputBytes(0, typedAs: 0, shape: shape)
    let copy = StridedCopy(
      blocks(space: x, depth: y, side: side).map {
        .init(extent: $0.extent, source: $0.space, destination: $0.depth)
      }, elementSize: x.elementSize)
    return { e in copy(from: e[x], to: e[y], workers: e.workers) }
  }

  static let depthToSpace = Registration(
    .depthToSpace, versions: 1...2
  ) { p throws(InferenceError) in
    guard case .depthToSpace(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let side = try blockSide(p, options)
    let x = try p.inputBytes(0)
    let square = try product(1, side, side, p)
    guard x.shape[3] % square == 0 else {
      throw .option(node: p.node, name: "block_size", value: side)
    }
    let shape = try p.shape([
      x.shape[0], x.shape[1] * side, x.shape[2] * side, x.shape[3] / square,
    ])
    let y = try p.outputBytes(0, typedAs: 0, shape: shape)
    let copy = StridedCopy(
      blocks(space: y, depth: x, side: side).map {
        .init(extent: $0.extent, source: $0.depth, destination: $0.space)
      }, elementSize: x.elementSize)
    return { e in copy(from: e[x], to: e[y], workers: e.workers) }
  }
}

private func blockSide(
  _ p: Preparation, _ options: BlockOptions
) throws(InferenceError) -> Int {
  try p.expect(inputs: 1...1)
  try p.shape(ofInput: 0, ranks: 4...4)
  guard options.blockSize >= 1, options.blockSize <= Int(Int32.max) else {
    throw .option(node: p.node, name: "block_size", value: options.blockSize)
  }
  return options.blockSize
}

private func product(
  _ a: Int, _ b: Int, _ c: Int, _ p: Preparation
) throws(InferenceError) -> Int {
  let (first, firstOverflow) = a.multipliedReportingOverflow(by: b)
  let (second, secondOverflow) = first.multipliedReportingOverflow(by: c)
  guard !firstOverflow, !secondOverflow else {
    throw .tooLarge(node: p.node, bytes: Int.max, limit: Int(Int32.max))
  }
  return second
}

/// The axes of the rearrangement (batch, block row, row in block, block column, column in block,
/// channel) with their byte strides on both sides.
private func blocks(
  space: ByteOperand, depth: ByteOperand, side: Int
) -> [(extent: Int, space: Int, depth: Int)] {
  let spatial = space.strides
  let deep = depth.strides
  let channels = space.shape[3]
  return [
    (space.shape[0], spatial[0], deep[0]),
    (depth.shape[1], spatial[1] &* side, deep[1]),
    (side, spatial[1], side &* channels &* deep[3]),
    (depth.shape[2], spatial[2] &* side, deep[2]),
    (side, spatial[2], channels &* deep[3]),
    (channels, spatial[3], deep[3]),
  ]
}
