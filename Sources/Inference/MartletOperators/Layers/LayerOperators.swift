//===--- LayerOperators.swift - layers and reductions ---------------------===//
//
// Checked   Tests/MartletToolTests/ConformanceTests.swift
//===----------------------------------------------------------------------===//

extension Registration {
  /// Every operator of this folder: each result element depends on many input elements.
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
}
