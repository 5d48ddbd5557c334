//===--- TransposeConvolutionWithBiasOperator.swift - Convolution2DTransposeBias ===//
//
// Inputs   0 x: NHWC, float32
//          1 w: OHWI, float32
//          2 bias: one for each O, float32.
// Output   0 y: NHWC, float32: the pixels that the windows of x's pixels cover. SAME omits pixels
//          that would make a convolution of y larger than x.
// Options  The first three fields of `TfLiteTransposeConvParams` in their memory layout.
// Source   MediaPipe `transpose_conv_bias.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension OperatorTraits {
  fileprivate static let transposeConvWithBias = OperatorTraits(
    cost: OperatorCost(
      .fastKernels,
      products: OperatorCost.filterProducts))
}

extension Registration {
  static let transposeConvWithBias = Registration(
    .custom("Convolution2DTransposeBias"), versions: 1...1, traits: .transposeConvWithBias
  ) { p throws(InferenceError) in
    try p.expect(inputs: 3...3)
    let (padding, strides) = try p.transposeParameters()
    let image = try p.shape(ofInput: 0, ranks: 4...4)
    let filter = try p.shape(ofInput: 1, ranks: 4...4)
    let result = try p.shape([
      image[0],
      try p.extent(axis: 1, of: image, filter: filter, padding, stride: strides.height),
      try p.extent(axis: 2, of: image, filter: filter, padding, stride: strides.width),
      filter[0],
    ])
    let convolution = try p.transposeConvolution(
      of: 0, to: result, padding: padding, strides: strides)
    try p.expectBias(2, count: filter[0])
    return try p.prepareFloat(
      convolution, WeightedLayer(result: result, channels: filter[0], activation: .none))
  }
}

extension Preparation {
  /// The extent of the result along an axis.
  fileprivate func extent(
    axis: Int, of image: Shape, filter: Shape, _ padding: Padding, stride: Int
  ) throws(InferenceError) -> Int {
    for (index, shape) in [(0, image), (1, filter)] where shape[axis] < 1 {
      throw .extent(node: node, operand: .input(index), axis: axis, found: 0, expected: 1)
    }
    // Extents and strides are below 2³¹, so the product of two does not overflow.
    let reach = (image[axis] - 1) * stride + filter[axis]
    guard padding == .same else { return reach }
    return reach - max(filter[axis] - (image[axis] - 1) % stride - 1, 0)
  }
}
