//===--- TransposeConvolutionOperator.swift - TRANSPOSE_CONV --------------===//
//
// Inputs  0 extents: int32 [4], those of the result
//         1 w: OHWI of x's type (int8 for int16); one scale for each O, except for uint8. With
//           float32 x, w may be int8: then x is quantized while the graph runs
//         2 x: NHWC, float32, uint8, int8 or int16
//         3 bias: one for each O; float32, int32, or int64 for int16. May be absent.
// Output  0 y: NHWC of x's type.
// Source  LiteRT 2.3.0 `transpose_conv.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

extension OperatorTraits {
  fileprivate static let transposeConv = OperatorTraits(
    cost: OperatorCost(
      .fastKernels,
      multiplyAdds: { _, inputs, _ in
        guard inputs.count > 2, inputs[1].rank == 4 else { return 0 }
        return saturatingProduct(inputs[2].elementCount, inputs[1].product(0..<3))
      },
      // Each output is compared with each tap, and each input is added to the outputs that it reaches.
      products: { options, inputs, outputs in
        let compared = OperatorCost.filterProducts(options, inputs, outputs)
        guard inputs.count > 2, inputs[1].rank == 4 else { return compared }
        return max(
          compared, saturatingProduct(inputs[2].elementCount, inputs[1].product(0..<3)))
      }))
}

extension Registration {
  static let transposeConv = Registration(.transposeConv, versions: 1...5, traits: .transposeConv) {
    p throws(InferenceError) in
    try p.expect(inputs: 3...4)
    guard case .transposeConv(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let shape = try p.shape(try p.integers(of: Input.extents))
    let convolution = try p.transposeConvolution(
      of: Input.image, to: shape, padding: options.padding,
      strides: (options.strideHeight, options.strideWidth))
    try p.expectBias(Input.bias, count: convolution.outputDepth)
    let node = WeightedLayer(
      result: shape, channels: convolution.outputDepth, activation: options.activation,
      image: Input.image, bias: Input.bias)
    return try p.prepare(convolution, node)
  }
}

/// The operator's inputs.
private enum Input {
  static let extents = 0
  static let filter = 1
  static let image = 2
  static let bias = 3
}

extension Preparation {
  /// The geometry of a transposed convolution of input `index` to an image of shape `result`.
  func transposeConvolution(
    of index: Int, to result: Shape, padding: Padding, strides: (height: Int, width: Int)
  ) throws(InferenceError) -> TransposeConvolution {
    let image = try shape(ofInput: index, ranks: 4...4)
    let filter = try shape(ofInput: Input.filter, ranks: 4...4)
    guard result.rank == 4 else {
      throw .rank(node: node, operand: .output(0), found: result.rank, expected: 4...4)
    }
    try expect(filter, ofInput: Input.filter, axis: 3, extent: image[3])
    for (axis, expected) in [(0, image[0]), (3, filter[0])] where result[axis] != expected {
      throw .extent(
        node: node, operand: .output(0), axis: axis, found: result[axis], expected: expected)
    }
    return TransposeConvolution(
      window: try window(
        on: result, height: filter[1], width: filter[2], padding: padding, strides: strides),
      inputRows: image[1], inputColumns: image[2], inputDepth: image[3], outputDepth: filter[0])
  }
}

extension TransposeConvolution: HybridLayerKernels {
  var dense: Convolution? { nil }

  func floatKernel(
    _ o: FloatOperands, _ constants: ConstantWeights<Float, Float>?,
    clampedTo range: ClosedRange<Float>, _ p: inout Preparation
  ) throws(InferenceError) -> Evaluate? {
    guard let constants,
      let kernel = Float32TransposeConvolution(
        self, filter: constants.weights, bias: constants.biases, clampedTo: range,
        workers: p.workerCount)
    else { return nil }
    let scratch = try p.scratch(kernel.scratchCount, as: Float.self)
    return { e in kernel(e[o.x], scratch: e[scratch], into: e[o.y], workers: e.workers) }
  }

  func hybridArithmetic(
    _ node: WeightedLayer, x: Shape, factors: [Float], range: ClosedRange<Float>
  ) -> HybridArithmetic {
    HybridArithmetic(
      factors: factors, range: range, isAsymmetric: true, factorsFirst: true,
      run: x.product(1..<4))
  }

  func hybridKernel(
    _ o: HybridOperands, _ constants: ConstantWeights<Int8, Float>, _ a: HybridArithmetic,
    _ p: inout Preparation
  ) throws(InferenceError) -> Evaluate? {
    guard
      // The product has a filter for each tap, and each filter has a factor, a bias and a sum.
      p.takePacked(
        constants.weights.count / max(inputDepth, 1) * 3 * MemoryLayout<Float>.stride),
      let kernel = HybridTransposeConvolution(
        self, filter: constants.weights, factors: a.factors, bias: constants.biases,
        clampedTo: a.range, workers: p.workerCount)
    else { return nil }
    let products = try p.scratch(kernel.sums.count, as: Float.self)
    let multiply = try p.evaluate(kernel.product, from: o.x, to: products)
    return { e throws(InferenceError) in
      try multiply(e)
      kernel.sums(e[products], into: e[o.y], workers: e.workers)
    }
  }
}
