//===--- Registry+Dense.swift - operators that weigh and pool -------------===//
//
// Convolutions, fully connected layers, pools, activations and resizing: the operators with
// arithmetic. Their rooms are in `Operators/`.
//===----------------------------------------------------------------------===//

extension Registry {
  static let denseOperators: [Registration] = [
    .conv2D, .depthwiseConv2D, .transposeConv, .fullyConnected,
    .averagePool2D, .maxPool2D, .mean, .argMax, .argMin,
    .relu, .relu6, .reluN1To1, .relu0To1, .prelu, .leakyRelu,
    .logistic, .tanh, .hardSwish, .softmax, .l2Normalization,
    .resizeBilinear, .resizeNearestNeighbor,
    .quantize, .dequantize, .densify, .detectionPostProcess,
  ]
}
