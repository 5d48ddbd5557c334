//===--- Registry+Shape.swift - operators that move and combine -----------===//
//
// Element-wise arithmetic, reductions, and the operators that rearrange elements. Their rooms are
// in `Operators/`.
//===----------------------------------------------------------------------===//

extension Registry {
  static let shapeOperators: [Registration] = [
    .add, .sub, .mul,
    .reshape, .squeeze, .expandDims, .concatenation,
    .pad, .padV2, .mirrorPad, .gather, .gatherND, .stridedSlice, .slice, .transpose,
    .pack, .unpack, .split, .splitV, .tile, .broadcastTo, .shape, .spaceToDepth, .depthToSpace,
    .spaceToBatchND, .batchToSpaceND,
  ]
}
