//===--- DepthwiseConvolutionOperator.swift - DEPTHWISE_CONV_2D -----------===//
//
// Inputs  0 x: NHWC, float32, uint8, int8 or int16
//         1 w: 1HWO of x's type (int8 for int16); one scale for each O, except for uint8. With
//           float32 x, w may be int8: then x is quantized while the graph runs
//         2 bias: one for each O; float32, int32, or int64 for int16. May be absent.
// Output  0 y: NHWC of x's type; O is a multiple of x's channels.
// Source  LiteRT 2.3.0 `depthwise_conv.cc`, which takes the multiplier from the shapes and not from
//         the option.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

extension OperatorTraits {
  fileprivate static let depthwiseConv2D = OperatorTraits(
    cost: OperatorCost(
      .fastKernels,
      multiplyAdds: { _, inputs, outputs in
        guard inputs.count > 1, inputs[1].rank == 4 else { return 0 }
        return saturatingProduct(outputs[0].elementCount, inputs[1].product(1..<3))
      }),
    isFusible: true)
}

extension Registration {
  package static let depthwiseConv2D = Registration(
    .depthwiseConv2D, versions: 1...7, traits: .depthwiseConv2D
  ) {
    p throws(InferenceError) in
    try p.expect(inputs: 2...3)
    guard case .depthwiseConv2D(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let convolution = try p.convolution(options)
    let node = WeightedLayer(
      result: try p.shape(convolution.window.outputExtents(depth: convolution.outputDepth)),
      channels: convolution.outputDepth, axis: 3, activation: options.activation)
    return try p.input(Input.image).type == .int16
      ? p.prepareShort(convolution, node, bias: Int64.self) : p.prepare(convolution, node)
  }
}

/// The operator's inputs.
private enum Input {
  static let image = 0
  static let filter = 1
  static let bias = 2
}

extension Preparation {
  fileprivate func convolution(
    _ options: DepthwiseConv2DOptions
  ) throws(InferenceError) -> DepthwiseConvolution {
    let image = try shape(ofInput: Input.image, ranks: 4...4)
    let filter = try shape(ofInput: Input.filter, ranks: 4...4)
    try expect(filter, ofInput: Input.filter, axis: 0, extent: 1)
    guard image[3] > 0, filter[3] > 0, filter[3] % image[3] == 0 else {
      throw .extent(
        node: node, operand: .input(Input.filter), axis: 3, found: filter[3], expected: image[3])
    }
    try expectBias(Input.bias, count: filter[3])
    return DepthwiseConvolution(
      window: try window(
        on: image, height: filter[1], width: filter[2], padding: options.padding,
        strides: (options.strideHeight, options.strideWidth),
        dilations: (options.dilationHeight, options.dilationWidth)),
      inputDepth: image[3], multiplier: filter[3] / image[3])
  }
}

extension DepthwiseConvolution: HybridLayerKernels {
  /// The convolution whose filters are zero for all but one channel.
  var dense: Convolution? { Convolution(self) }

  func withFilters<Weight: Element, Kernel>(
    _ weights: UnsafeBufferPointer<Weight>, zero: Weight,
    _ body: (UnsafeBufferPointer<Weight>) -> Kernel
  ) -> Kernel {
    guard let dense else { return body(weights) }
    return dense.filters(ofDepthwise: weights, zero: zero).withUnsafeBufferPointer { body($0) }
  }

  func floatKernel(
    _ o: FloatOperands, _ constants: ConstantWeights<Float, Float>?,
    clampedTo range: ClosedRange<Float>, _ p: inout Preparation
  ) throws(InferenceError) -> Evaluate? {
    guard multiplier == 1 else { return nil }
    let kernel = Float32DepthwiseConvolution(
      self, constantFilter: constants?.weights, clampedTo: range, workers: p.workerCount)
    return { e in
      kernel(e[o.x], filter: e[o.w], bias: e[o.bias], into: e[o.y], workers: e.workers)
    }
  }

  func byteKernel<Scalar: Element & FixedWidthInteger>(
    _ constants: ConstantWeights<Scalar, Int32>, _ a: ByteArithmetic<Requantizer>, workers: Int
  ) -> QuantizedConvolution? {
    QuantizedConvolution(
      self, zero: a.zero(of: Scalar.self),
      filter: ByteWeights(constants.weights, offset: a.weightOffset), bias: constants.biases,
      requantizer: a.requantizer, workers: workers)
  }

  func hybridArithmetic(
    _ node: WeightedLayer, x: Shape, factors: [Float], range: ClosedRange<Float>
  ) -> HybridArithmetic {
    HybridArithmetic(
      factors: factors, range: range, isAsymmetric: true, factorsFirst: false,
      run: x.product(1..<4))
  }

  func hybridKernel(
    _ o: HybridOperands, _ constants: ConstantWeights<Int8, Float>, _ a: HybridArithmetic,
    _ p: inout Preparation
  ) throws(InferenceError) -> Evaluate? {
    guard p.takePacked(constants.weights.count * MemoryLayout<Float>.stride),
      let kernel = HybridDepthwiseConvolution(
        self, filter: constants.weights, factors: a.factors, bias: constants.biases,
        clampedTo: a.range, workers: p.workerCount)
    else { return nil }
    let values = try p.scratch(kernel.valueCount, as: Float.self)
    let scales = try p.scratch(kernel.imageCount, as: Float.self)
    return { e in
      kernel(e[o.x], values: e[values], scales: e[scales], into: e[o.y], workers: e.workers)
    }
  }
}
