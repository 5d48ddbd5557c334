//===--- Registry+Indexing.swift - operators that pick and place ----------===//
//
// Sorting, indices and places: the operators whose inputs say where elements go. Their rooms are in
// `Operators/`.
//===----------------------------------------------------------------------===//

extension Registry {
  static let indexingOperators: [Registration] = [
    .topK, .oneHot, .reverseV2, .reverseSequence, .scatterND, .sparseToDense, .where,
    .nonMaxSuppressionV4, .nonMaxSuppressionV5, .matrixDiag, .matrixSetDiag, .embeddingLookup,
    .dynamicUpdateSlice, .segmentSum, .unsortedSegmentMax, .unsortedSegmentMin,
    .unsortedSegmentProd, .unsortedSegmentSum, .unique, .bucketize,
  ]
}
