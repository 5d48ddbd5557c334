//===--- Registry+Dense.swift - operators that weigh and pool -------------===//
//
// Convolutions, fully connected layers, pools, activations and resizing: the operators with
// arithmetic. Their rooms are in `Operators/`.
//===----------------------------------------------------------------------===//

extension Registry {
  static let denseOperators: [Registration] = [
    .averagePool2D, .conv2D, .depthwiseConv2D, .fullyConnected, .logistic, .maxPool2D,
    .relu, .relu6, .reluN1To1, .softmax, .tanh,
  ]
}
