//===--- ConvolutionOperator.swift - CONV_2D ------------------------------===//
//
// Inputs  0 x: NHWC, float32, uint8, int8 or int16
//         1 w: OHWI of x's type (int8 for int16); one scale for each O, except for uint8. With
//           float32 x, w may be int8: then x is quantized while the graph runs
//         2 bias: one for each O; float32, int32, or int64 for int16. May be absent.
// Output  0 y: NHWC of x's type.
// Source  LiteRT 2.3.0 `conv.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

extension OperatorTraits {
  fileprivate static let conv2D = OperatorTraits(
    cost: OperatorCost(
      .fastKernels,
      multiplyAdds: OperatorCost.filterProducts),
    isFusible: true)
}

extension Registration {
  package static let conv2D = Registration(.conv2D, versions: 1...8, traits: .conv2D) {
    p throws(InferenceError) in
    try p.expect(inputs: 2...3)
    guard case .conv2D(let options) = p.operation.options else { throw .options(node: p.node) }
    let convolution = try p.convolution(options)
    let node = WeightedLayer(
      result: try p.shape(convolution.window.outputExtents(depth: convolution.outputDepth)),
      channels: convolution.outputDepth, activation: options.activation)
    return try p.prepare(convolution, node)
  }
}

/// The operator's inputs.
private enum Input {
  static let image = 0
  static let filter = 1
  static let bias = 2
}

extension Preparation {
  fileprivate func convolution(_ options: Conv2DOptions) throws(InferenceError) -> Convolution {
    let image = try shape(ofInput: Input.image, ranks: 4...4)
    let filter = try shape(ofInput: Input.filter, ranks: 4...4)
    // If the depth is a divisor, the channels form groups.
    guard filter[3] > 0, image[3] % filter[3] == 0, image[3] > 0 else {
      throw .extent(
        node: node, operand: .input(Input.filter), axis: 3, found: filter[3], expected: image[3])
    }
    let groups = image[3] / filter[3]
    guard filter[0] % groups == 0 else {
      throw .extent(
        node: node, operand: .input(Input.filter), axis: 0, found: filter[0], expected: groups)
    }
    try expectBias(Input.bias, count: filter[0])
    return Convolution(
      window: try window(
        on: image, height: filter[1], width: filter[2], padding: options.padding,
        strides: (options.strideHeight, options.strideWidth),
        dilations: (options.dilationHeight, options.dilationWidth)),
      inputDepth: image[3], filterDepth: filter[3], outputDepth: filter[0])
  }
}

extension Convolution {
  /// Whether each filter sees only some of the channels.
  fileprivate var isGrouped: Bool { filterDepth != inputDepth }
}

extension Convolution: HybridLayerKernels {
  var dense: Convolution? { isGrouped ? nil : self }

  func hybridArithmetic(
    _ node: WeightedLayer, x: Shape, factors: [Float], range: ClosedRange<Float>
  ) -> HybridArithmetic {
    // LiteRT quantizes symmetrically if all filters of an ungrouped convolution share one scale.
    let isAsymmetric = isGrouped || factors.contains { $0 != factors[0] }
    return HybridArithmetic(
      factors: factors, range: range, isAsymmetric: isAsymmetric, factorsFirst: isAsymmetric,
      run: x.product(1..<4))
  }
}
