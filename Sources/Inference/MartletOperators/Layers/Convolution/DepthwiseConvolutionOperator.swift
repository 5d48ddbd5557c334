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
    switch try p.input(Input.image).type {
    case .float32 where p.isHybrid: return try p.prepareHybrid(convolution, node)
    case .float32: return try p.prepareFloat(convolution, node)
    case .uint8: return try p.prepareByte(convolution, node, as: UInt8.self)
    case .int8: return try p.prepareByte(convolution, node, as: Int8.self)
    case .int16: return try p.prepareShort(convolution, node, bias: Int64.self)
    case let found:
      throw .unsupportedType(node: p.node, operand: .input(Input.image), found: found)
    }
  }
}

/// The operator's inputs.
private enum Input {
  static let image = 0
  static let filter = 1
  static let bias = 2
}

extension Preparation {
  /// Like `constantWeights`, with room for as many filters as `convolution` has channels.
  fileprivate mutating func constantFilters<Weight: Element, Bias: Element>(
    of convolution: Convolution, as type: Weight.Type, bias: Bias.Type
  ) throws(InferenceError) -> (UnsafeBufferPointer<Weight>, bias: UnsafeBufferPointer<Bias>)? {
    guard let constants = try constantWeights(as: type, bias: bias, channelAxis: 3),
      takePacked(
        constants.0.count * (convolution.inputDepth - 1) * max(MemoryLayout<Weight>.stride, 2))
    else { return nil }
    return constants
  }

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
  func fastFloat(
    _ o: FloatOperands, _ node: WeightedLayer, clampedTo range: ClosedRange<Float>,
    _ p: inout Preparation
  ) throws(InferenceError) -> Evaluate? {
    if p.kernels == .fast && multiplier == 1 {
      let kernel = Float32DepthwiseConvolution(
        self,
        constantFilter: try p.constantWeights(as: Float.self, bias: Float.self, channelAxis: 3)?.0,
        clampedTo: range, workers: p.workerCount)
      return { e in
        kernel(e[o.x], filter: e[o.w], bias: e[o.bias], into: e[o.y], workers: e.workers)
      }
    }
    guard let plain = Convolution(self),
      let (weights, biases) = try p.constantFilters(of: plain, as: Float.self, bias: Float.self)
    else { return nil }
    var evaluate: Evaluate?
    try plain.filters(ofDepthwise: weights, zero: 0).withUnsafeBufferPointer {
      filters throws(InferenceError) in
      evaluate = try p.fast(plain, o, filter: filters, bias: biases, clampedTo: range)
    }
    return evaluate
  }

  func byteKernel<Scalar: Element & FixedWidthInteger>(
    _ a: ByteArithmetic<Requantizer>, _ type: Scalar.Type, _ p: inout Preparation
  ) throws(InferenceError) -> QuantizedConvolution? {
    if let plain = Convolution(self),
      let (weights, biases) = try p.constantFilters(of: plain, as: type, bias: Int32.self)
    {
      let zero = Scalar(truncatingIfNeeded: -a.weightOffset)
      return plain.filters(ofDepthwise: weights, zero: zero).withUnsafeBufferPointer {
        QuantizedConvolution(
          plain, zero: a.zero(of: type), filter: ByteWeights($0, offset: a.weightOffset),
          bias: biases, requantizer: .fixed(a.requantizer), workers: p.workerCount)
      }
    }
    guard
      let (weights, biases) = try p.constantWeights(as: type, bias: Int32.self, channelAxis: 3)
    else { return nil }
    return QuantizedConvolution(
      self, zero: a.zero(of: type), filter: ByteWeights(weights, offset: a.weightOffset),
      bias: biases,
      requantizer: a.requantizer, workers: p.workerCount)
  }

  func hybridArithmetic(
    _ node: WeightedLayer, x: Shape, factors: [Float], range: ClosedRange<Float>
  ) -> HybridArithmetic {
    HybridArithmetic(
      factors: factors, range: range, isAsymmetric: true, factorsFirst: false,
      run: x.product(1..<4))
  }

  func fastHybrid(
    _ o: HybridOperands, _ arithmetic: HybridArithmetic, _ p: inout Preparation
  ) throws(InferenceError) -> Evaluate? {
    if let plain = Convolution(self),
      let (weights, biases) = try p.constantFilters(of: plain, as: Int8.self, bias: Float.self)
    {
      var evaluate: Evaluate?
      try plain.filters(ofDepthwise: weights, zero: 0).withUnsafeBufferPointer {
        filters throws(InferenceError) in
        evaluate = try p.fast(
          plain, o, images: o.x.shape[0], arithmetic, filter: ByteWeights(filters, offset: 0),
          bias: biases)
      }
      return evaluate
    }
    guard
      let (weights, biases) = try p.constantWeights(
        as: Int8.self, bias: Float.self, channelAxis: 3),
      p.takePacked(weights.count * MemoryLayout<Float>.stride),
      let kernel = HybridDepthwiseConvolution(
        self, filter: weights, factors: arithmetic.factors, bias: biases,
        clampedTo: arithmetic.range, workers: p.workerCount)
    else { return nil }
    let values = try p.scratch(kernel.valueCount, as: Float.self)
    let scales = try p.scratch(kernel.imageCount, as: Float.self)
    return { e in
      kernel(e[o.x], values: e[values], scales: e[scales], into: e[o.y], workers: e.workers)
    }
  }
}
