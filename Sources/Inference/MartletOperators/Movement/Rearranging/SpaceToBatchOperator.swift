//===--- SpaceToBatchOperator.swift - SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND ===//
//
// Inputs  0 x: [N, H, W, C] or [N, H, C], any type; 1 block: int32, the block's extents; 2 border:
//         [spatial axes, 2] of int32, the amounts to add around x, or to crop from y.
// Output  0 y: x's type. Added borders are zero: the zero point if quantized.
// Source  LiteRT 2.3.0 `space_to_batch_nd.cc`, `batch_to_space_nd.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let block = 1
  static let border = 2
}

extension Registration {
  static let spaceToBatchND = Registration(
    .spaceToBatchNd, versions: 1...4
  ) { p throws(InferenceError) in
    let (block, border) = try blockAndBorder(p)
    let x = try p.inputBytes(Input.x)
    let rank = x.shape.rank
    var extents = x.shape.dimensions
    for axis in 0..<block.count {
      let padded = saturatingSum(
        border[2 * axis], saturatingSum(x.shape[axis + 1], border[2 * axis + 1]))
      guard padded % block[axis] == 0 else {
        throw .option(node: p.node, name: "block_shape", value: block[axis])
      }
      extents[axis + 1] = padded / block[axis]
    }
    for side in block { extents[0] = saturatingProduct(extents[0], side) }
    let y = try p.outputBytes(0, typedAs: Input.x, shape: try p.shape(extents))
    let layout = layout(space: x.shape, batch: y.shape, block, border, rank, x.elementSize)
    let zero = try p.zeroElement(ofOutput: 0)
    return { e in
      withUnsafeBytes(of: zero) { bytes in
        guard let filler = bytes.baseAddress else { return }
        layout.toBatch(e[x], filler: filler, elementSize: x.elementSize, into: e[y])
      }
    }
  }

  static let batchToSpaceND = Registration(
    .batchToSpaceNd, versions: 1...4
  ) { p throws(InferenceError) in
    let (block, border) = try blockAndBorder(p)
    let x = try p.inputBytes(Input.x)
    var extents = x.shape.dimensions
    for axis in 0..<block.count {
      guard extents[0] % block[axis] == 0 else {
        throw .option(node: p.node, name: "block_shape", value: block[axis])
      }
      extents[0] /= block[axis]
      extents[axis + 1] =
        saturatingProduct(x.shape[axis + 1], block[axis]) - border[2 * axis] - border[2 * axis + 1]
    }
    let y = try p.outputBytes(0, typedAs: Input.x, shape: try p.shape(extents))
    let layout = layout(
      space: y.shape, batch: x.shape, block, border, x.shape.rank, x.elementSize)
    return { e in layout.toSpace(e[x], into: e[y]) }
  }
}

/// The block's extents, each in 1...Int32.max, and the border's, each in 0...Int32.max.
private func blockAndBorder(_ p: Preparation) throws(InferenceError) -> ([Int], [Int]) {
  try p.expect(inputs: 3...3)
  try p.shape(ofInput: Input.x, ranks: 3...4)
  let axes = try p.input(Input.x).shape.rank - 2
  let block = try p.values(of: Input.block, as: Int32.self).map { Int($0) }
  let border = try p.values(of: Input.border, as: Int32.self).map { Int($0) }
  guard block.count == axes else {
    throw .elementCount(
      node: p.node, operand: .input(Input.block), found: block.count, expected: axes)
  }
  guard border.count == 2 * axes else {
    throw .elementCount(
      node: p.node, operand: .input(Input.border), found: border.count, expected: 2 * axes)
  }
  for side in block where side < 1 {
    throw .option(node: p.node, name: "block_shape", value: side)
  }
  for amount in border where amount < 0 {
    throw .option(node: p.node, name: "paddings", value: amount)
  }
  return (block, border)
}

/// If there is one spatial axis, it is the height, and there is one column.
private func layout(
  space: Shape, batch: Shape, _ block: [Int], _ border: [Int], _ rank: Int, _ elementSize: Int
) -> SpaceBatchExtents {
  let isFlat = rank == 3
  return SpaceBatchExtents(
    batches: space[0], height: space[1], width: isFlat ? 1 : space[2],
    pixel: space[rank - 1] * elementSize, blockHeight: block[0],
    blockWidth: isFlat ? 1 : block[1], top: border[0], left: isFlat ? 0 : border[2],
    blocksDown: batch[1], blocksAcross: isFlat ? 1 : batch[2])
}
