//===--- DepthwiseConvolution.swift - DEPTHWISE_CONV_2D -------------------===//
//
// Inputs  0 x: NHWC, float32, uint8, int8 or int16
//         1 w: 1HWO of x's type (int8 for int16); one scale for each O, but for uint8. With float32
//           x int8 is possible too: x is then quantised as the graph runs
//         2 bias: one for each O; float32, int32, or int64 for int16. May be absent.
// Output  0 y: NHWC of x's type; O is a multiple of x's channels.
// Source  LiteRT 2.3.0 `depthwise_conv.cc`, which takes the multiplier from the shapes and not from
//         the option.
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletKernels
import MartletModel
import MartletReference
import MartletTensor

extension Registration {
  static let depthwiseConv2D = Registration(.depthwiseConv2D, versions: 1...7) {
    p throws(InferenceError) in
    try p.expect(inputs: 2...3)
    guard case .depthwiseConv2D(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let convolution = try p.convolution(options)
    let node = WeightedLayer(
      result: try p.shape(convolution.window.outputExtents(depth: convolution.outputDepth)),
      channels: convolution.outputDepth, axis: 3, activation: options.activation)
    switch try p.input(0).type {
    case .float32 where p.isHybrid:
      return try prepareHybrid(&p, convolution, node)
    case .float32:
      return try prepareFloat(&p, convolution, node)
    case .uint8:
      return try prepareByte(&p, convolution, node, as: UInt8.self)
    case .int8:
      return try prepareByte(&p, convolution, node, as: Int8.self)
    case .int16:
      return try prepareShort(&p, convolution, node)
    case let found:
      throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

extension Preparation {
  /// As `constantWeights`, with room for as many filters as `convolution` has channels.
  fileprivate mutating func constantFilters<Weight: Element, Bias: Element>(
    of convolution: Convolution, as type: Weight.Type, bias: Bias.Type
  ) throws(InferenceError) -> (UnsafeBufferPointer<Weight>, bias: UnsafeBufferPointer<Bias>)? {
    guard let constants = try constantWeights(as: type, bias: bias),
      takePacked(
        constants.0.count * (convolution.inputDepth - 1) * max(MemoryLayout<Weight>.stride, 2))
    else { return nil }
    return constants
  }

  fileprivate func convolution(
    _ options: DepthwiseConv2DOptions
  ) throws(InferenceError) -> DepthwiseConvolution {
    let image = try shape(ofInput: 0, ranks: 4...4)
    let filter = try shape(ofInput: 1, ranks: 4...4)
    try expect(filter, ofInput: 1, axis: 0, extent: 1)
    guard image[3] > 0, filter[3] > 0, filter[3] % image[3] == 0 else {
      throw .extent(
        node: node, operand: .input(1), axis: 3, found: filter[3], expected: image[3])
    }
    try expectBias(2, count: filter[3])
    return DepthwiseConvolution(
      window: try window(
        on: image, height: filter[1], width: filter[2], padding: options.padding,
        strides: (options.strideHeight, options.strideWidth),
        dilations: (options.dilationHeight, options.dilationWidth)),
      inputDepth: image[3], multiplier: filter[3] / image[3])
  }
}

private func prepareFloat(
  _ p: inout Preparation, _ convolution: DepthwiseConvolution, _ node: WeightedLayer
) throws(InferenceError) -> Evaluate {
  let o = try FloatOperands(node, &p)
  let range = try p.floatRange(of: node.activation)
  if p.kernels == .fast && convolution.multiplier == 1 {
    let kernel = Float32DepthwiseConvolution(
      convolution, constantFilter: try p.constantWeights(as: Float.self, bias: Float.self)?.0,
      clampedTo: range, workers: p.workerCount)
    return { e in
      kernel(e[o.x], filter: e[o.w], bias: e[o.bias], into: e[o.y], workers: e.workers)
    }
  }
  if let plain = Convolution(convolution),
    let (weights, biases) = try p.constantFilters(of: plain, as: Float.self, bias: Float.self)
  {
    return try plain.filters(ofDepthwise: Array(weights)).withUnsafeBufferPointer {
      filters throws(InferenceError) in
      try p.fast(plain, o, filter: filters, bias: biases, clampedTo: range)
    }
  }
  return { e in
    Reference.convolve(
      e[o.x], filter: e[o.w], bias: e[o.bias], convolution, clampedTo: range, into: e[o.y],
      workers: e.workers)
  }
}

private func prepareByte<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ convolution: DepthwiseConvolution, _ node: WeightedLayer,
  as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let o = try ByteOperands<Scalar>(node, &p)
  let requantizer = try p.requantizer(node, as: Scalar.self)
  let inputOffset = try p.imageOffset(node)
  let filterOffset = try p.weightOffset(isAffine: Scalar.elementType == .uint8)
  if let plain = Convolution(convolution),
    let (weights, biases) = try p.constantFilters(of: plain, as: Scalar.self, bias: Int32.self)
  {
    return try p.fast(
      plain, o, zeroPoint: -inputOffset,
      filter: plain.filters(ofDepthwise: weights.widened(offset: filterOffset)), bias: biases,
      requantizer: requantizer)
  }
  if let (weights, biases) = try p.constantWeights(as: Scalar.self, bias: Int32.self),
    let kernel = QuantizedDepthwiseConvolution(
      convolution, zero: ByteZero(isSigned: Scalar.isSigned, zeroPoint: -inputOffset),
      filter: weights.widened(offset: filterOffset), bias: biases, requantizer: requantizer,
      workers: p.workerCount)
  {
    let scratch = try p.scratch(kernel.scratchCount, as: Int16.self)
    return { e in
      kernel(
        UnsafeMutableRawBufferPointer(e[o.x]), scratch: e[scratch],
        into: UnsafeMutableRawBufferPointer(e[o.y]), workers: e.workers)
    }
  }
  return { e in
    Reference.convolve(
      e[o.x], offset: inputOffset, filter: e[o.w], offset: filterOffset, bias: e[o.bias],
      convolution, requantizer: requantizer, into: e[o.y], workers: e.workers)
  }
}

private func prepareShort(
  _ p: inout Preparation, _ convolution: DepthwiseConvolution, _ node: WeightedLayer
) throws(InferenceError) -> Evaluate {
  let o = try ShortOperands<Int64>(node, &p)
  try p.expectSymmetric(node)
  let requantizer = try p.requantizer(node, as: Int16.self)
  return { e in
    Reference.convolve(
      e[o.x], filter: e[o.w], bias: e[o.bias], convolution, requantizer: requantizer, into: e[o.y],
      workers: e.workers)
  }
}

private func prepareHybrid(
  _ p: inout Preparation, _ convolution: DepthwiseConvolution, _ node: WeightedLayer
) throws(InferenceError) -> Evaluate {
  let o = try HybridOperands(node, &p)
  let factors = try p.weightScales(channels: node.channels, axis: node.axis)
  let range = try p.floatRange(of: node.activation)
  if let plain = Convolution(convolution),
    let (weights, biases) = try p.constantFilters(of: plain, as: Int8.self, bias: Float.self)
  {
    return try p.fast(
      plain, o, images: o.x.shape[0], isAsymmetric: true,
      filter: plain.filters(ofDepthwise: weights.widened(offset: 0)), factors: factors,
      factorsFirst: false, bias: biases, clampedTo: range)
  }
  if let (weights, biases) = try p.constantWeights(as: Int8.self, bias: Float.self),
    p.takePacked(weights.count * MemoryLayout<Float>.stride),
    let kernel = HybridDepthwiseConvolution(
      convolution, filter: weights, factors: factors, bias: biases, clampedTo: range,
      workers: p.workerCount)
  {
    let steps = try p.scratch(kernel.stepCount, as: Float.self)
    let scales = try p.scratch(kernel.imageCount, as: Float.self)
    return { e in
      kernel(e[o.x], steps: e[steps], scales: e[scales], into: e[o.y], workers: e.workers)
    }
  }
  let run = o.x.shape.product(1..<4)
  let (steps, scales) = try p.rows(ofInput: 0, run: run)
  return { e in
    Reference.quantizeRows(e[o.x], run: run, isAsymmetric: true, into: e[steps], scales: e[scales])
    Reference.convolve(
      steps: e[steps], scales: e[scales], filter: e[o.w], factors: factors, bias: e[o.bias],
      convolution, clampedTo: range, into: e[o.y], workers: e.workers)
  }
}
