//===--- MovementOperators.swift - rearranging, indexing ------------------===//
//
// Checked   Tests/MartletToolTests/ConformanceTests.swift
//===----------------------------------------------------------------------===//

extension Registration {
  /// Every operator of this folder: elements are moved, not computed.
  package static let movement: [Registration] = [
    // Indexing
    .bucketize, .embeddingLookup, .embeddingLookupSparse, .hashtableLookup, .gather, .gatherND,
    .oneHot, .scatterND, .sparseToDense, .stableHLOGather, .stableHLOScatter, .topK, .unique,
    .where,
    // Rearranging
    .bitcast, .broadcastArgs, .concatenation, .densify, .dynamicUpdateSlice, .fill, .zerosLike,
    .range, .matrixDiag, .matrixSetDiag, .pack, .unpack, .pad, .padV2, .mirrorPad, .reshape,
    .squeeze, .expandDims, .reverseV2, .reverseSequence, .slice, .spaceToBatchND,
    .batchToSpaceND, .spaceToDepth, .depthToSpace, .split, .splitV, .stridedSlice, .tile,
    .broadcastTo, .shape, .rank, .transpose, .stableHLOPad, .dilate,
  ]
}
