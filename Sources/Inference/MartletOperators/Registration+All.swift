//===--- Registration+All.swift - lists of all operators ------------------===//
//
// One list for each folder of operators.
//===----------------------------------------------------------------------===//

extension Registration {
  /// Every operator of the folder Elementwise: each result element depends on one element of each input.
  package static let elementwise: [Registration] = [
    // Activation
    .elu, .gelu, .hardSwish, .prelu, .leakyRelu, .relu, .relu6, .reluN1To1, .relu0To1,
    .logistic, .tanh,
    // Arithmetic
    .abs, .neg, .sign, .square, .floor, .ceil, .round, .add, .sub, .bitwiseXor, .rightShift,
    .cast, .fakeQuant, .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .logicalAnd,
    .logicalOr, .logicalNot, .real, .imag, .complexAbs, .div, .exp, .log, .sqrt, .rsqrt,
    .floorDiv, .floorMod, .maximum, .minimum, .mul, .pow, .quantize, .dequantize, .select,
    .selectV2, .sin, .cos, .atan2, .squaredDifference, .stableHLOAdd, .stableHLOMultiply,
    .stableHLOMaximum, .stableHLOMinimum,
  ]

  /// Every operator of the folder Layers: each result element depends on many input elements.
  package static let layers: [Registration] = [
    // Convolution
    .batchMatMul, .conv2D, .depthwiseConv2D, .fullyConnected, .transposeConv,
    .transposeConvWithBias, .conv3D, .conv3DTranspose,
    // Detection
    .detectionPostProcess, .landmarkCrop, .nonMaxSuppressionV4, .nonMaxSuppressionV5,
    .transformLandmarks, .transformTensor,
    // Fourier
    .audioSpectrogram, .mfcc, .rfft2D,
    // Normalization
    .localResponseNormalization, .logSoftmax, .l2Normalization, .softmax,
    // Pooling
    .maxPoolWithArgmax, .maxUnpool, .liteRTMaxUnpool, .averagePool2D, .maxPool2D, .l2Pool2D,
    .resizeBilinear, .resizeNearestNeighbor,
    // Recurrent
    .lstm, .unidirectionalSequenceLSTM, .bidirectionalSequenceLSTM, .rnn,
    .unidirectionalSequenceRNN, .bidirectionalSequenceRNN, .svdf,
    // Reduction
    .argMax, .argMin, .cumsum, .addN, .mean, .reduceMax, .reduceMin, .sum, .reduceProd,
    .reduceAny, .reduceAll, .segmentSum, .unsortedSegmentMax, .unsortedSegmentMin,
    .unsortedSegmentProd, .unsortedSegmentSum, .reduceWindow, .stableHLOReduceWindow,
  ]

  /// Every operator of the folder Movement: elements are moved, not computed.
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
