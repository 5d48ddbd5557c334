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
    .div, .squaredDifference, .maximum, .minimum, .equal, .notEqual, .less, .lessEqual, .greater,
    .greaterEqual, .logicalAnd, .logicalOr, .logicalNot, .select, .selectV2, .cast,
    .abs, .neg, .square, .floor, .ceil, .round, .exp, .log, .sqrt, .rsqrt,
    .sum, .reduceMax, .reduceMin, .reduceProd, .reduceAny, .reduceAll,
  ]
}
