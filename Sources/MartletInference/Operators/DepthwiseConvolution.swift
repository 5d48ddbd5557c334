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

import MartletKernels
import MartletModel
import MartletTensor

extension Registration {
  static let depthwiseConv2D = Registration(.depthwiseConv2D, versions: 1...7) {
    p throws(InferenceError) in
    try p.expect(inputs: 2...3)
    guard case .depthwiseConv2D(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let convolution = try p.convolution(options)
    switch try p.input(0).type {
    case .float32 where p.isHybrid:
      return try prepareHybrid(&p, convolution, activation: options.activation)
    case .float32:
      return try prepareFloat(&p, convolution, activation: options.activation)
    case .uint8:
      return try prepareByte(&p, convolution, activation: options.activation, as: UInt8.self)
    case .int8:
      return try prepareByte(&p, convolution, activation: options.activation, as: Int8.self)
    case .int16:
      return try prepareShort(&p, convolution, activation: options.activation)
    case let found:
      throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

extension Preparation {
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

extension DepthwiseConvolution {
  fileprivate var outputExtents: [Int] {
    [window.batches, window.rows.output, window.columns.output, outputDepth]
  }
}

private func prepareFloat(
  _ p: inout Preparation, _ convolution: DepthwiseConvolution, activation: Activation
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Float.self)
  let w = try p.input(1, as: Float.self)
  let bias = try p.optionalInput(2, as: Float.self)
  let y = try p.output(0, as: Float.self, shape: try p.shape(convolution.outputExtents))
  let range = try p.floatRange(of: activation)
  if p.kernels == .fast && convolution.multiplier == 1 {
    let kernel = Float32DepthwiseConvolution(
      convolution, clampedTo: range, workers: p.workerCount)
    return { e in
      kernel(e[x], filter: e[w], bias: e[bias], into: e[y], workers: e.workers)
    }
  }
  return { e in
    Reference.convolveDepthwise(
      e[x], filter: e[w], bias: e[bias], convolution, clampedTo: range, into: e[y])
  }
}

private func prepareByte<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ convolution: DepthwiseConvolution, activation: Activation,
  as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Scalar.self)
  let w = try p.input(1, as: Scalar.self)
  let bias = try p.optionalInput(2, as: Int32.self)
  let y = try p.output(0, as: Scalar.self, shape: try p.shape(convolution.outputExtents))
  let requantizer = try p.requantizer(
    channels: convolution.outputDepth, axis: 3, activation: activation, as: Scalar.self)
  let inputOffset = -Int32(try p.perTensorQuantization(input: 0).zeroPoint)
  let filterOffset = try p.weightOffset(isAffine: Scalar.elementType == .uint8)
  if let (weights, biases) = try p.constantWeights(as: Scalar.self, bias: Int32.self),
    let kernel = QuantizedDepthwiseConvolution(
      convolution, zero: ByteZero(isSigned: Scalar.isSigned, zeroPoint: -inputOffset),
      filter: weights.widened(offset: filterOffset), bias: biases, requantizer: requantizer,
      workers: p.workerCount)
  {
    let scratch = try p.scratch(kernel.scratchCount, as: Int16.self)
    return { e in
      kernel(
        UnsafeMutableRawBufferPointer(e[x]), scratch: e[scratch],
        into: UnsafeMutableRawBufferPointer(e[y]), workers: e.workers)
    }
  }
  return { e in
    Reference.convolveDepthwise(
      e[x], offset: inputOffset, filter: e[w], offset: filterOffset, bias: e[bias], convolution,
      requantizer: requantizer, into: e[y])
  }
}

private func prepareShort(
  _ p: inout Preparation, _ convolution: DepthwiseConvolution, activation: Activation
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Int16.self)
  let w = try p.input(1, as: Int8.self)
  let bias = try p.optionalInput(2, as: Int64.self)
  let y = try p.output(0, as: Int16.self, shape: try p.shape(convolution.outputExtents))
  try p.expectSymmetric(inputs: [0, 1], outputs: [0])
  let requantizer = try p.requantizer(
    channels: convolution.outputDepth, axis: 3, activation: activation, as: Int16.self)
  return { e in
    Reference.convolveDepthwise(
      e[x], filter: e[w], bias: e[bias], convolution, requantizer: requantizer, into: e[y])
  }
}

private func prepareHybrid(
  _ p: inout Preparation, _ convolution: DepthwiseConvolution, activation: Activation
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Float.self)
  let w = try p.input(1, as: Int8.self)
  let bias = try p.optionalInput(2, as: Float.self)
  let y = try p.output(0, as: Float.self, shape: try p.shape(convolution.outputExtents))
  let factors = try p.weightScales(channels: convolution.outputDepth, axis: 3)
  let range = try p.floatRange(of: activation)
  let run = x.shape.product(1..<4)
  let (steps, scales) = try p.rows(ofInput: 0, run: run)
  return { e in
    Reference.quantizeRows(e[x], run: run, isAsymmetric: true, into: e[steps], scales: e[scales])
    Reference.convolveDepthwise(
      steps: e[steps], scales: e[scales], filter: e[w], factors: factors, bias: e[bias],
      convolution, clampedTo: range, into: e[y])
  }
}
