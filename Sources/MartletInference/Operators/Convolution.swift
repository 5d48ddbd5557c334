//===--- Convolution.swift - CONV_2D --------------------------------------===//
//
// Inputs  0 x: NHWC, float32, uint8, int8 or int16
//         1 w: OHWI of x's type (int8 for int16); one scale for each O, but for uint8. With float32
//           x int8 is possible too: x is then quantised as the graph runs
//         2 bias: one for each O; float32, int32, or int64 for int16. May be absent.
// Output  0 y: NHWC of x's type.
// Source  LiteRT 2.3.0 `conv.cc`.
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletModel
import MartletTensor

extension Registration {
  static let conv2D = Registration(.conv2D, versions: 1...8) { p throws(InferenceError) in
    try p.expect(inputs: 2...3)
    guard case .conv2D(let options) = p.operation.options else { throw .options(node: p.node) }
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
      return try p.biasIsWide(2)
        ? prepareShort(&p, convolution, activation: options.activation, bias: Int64.self)
        : prepareShort(&p, convolution, activation: options.activation, bias: Int32.self)
    case let found:
      throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

extension Preparation {
  fileprivate func convolution(_ options: Conv2DOptions) throws(InferenceError) -> Convolution {
    let image = try shape(ofInput: 0, ranks: 4...4)
    let filter = try shape(ofInput: 1, ranks: 4...4)
    // With a divisor as depth the channels fall into groups.
    guard filter[3] > 0, image[3] % filter[3] == 0, image[3] > 0 else {
      throw .extent(
        node: node, operand: .input(1), axis: 3, found: filter[3], expected: image[3])
    }
    let groups = image[3] / filter[3]
    guard filter[0] % groups == 0 else {
      throw .extent(node: node, operand: .input(1), axis: 0, found: filter[0], expected: groups)
    }
    try expectBias(2, count: filter[0])
    return Convolution(
      window: try window(
        on: image, height: filter[1], width: filter[2], padding: options.padding,
        strides: (options.strideHeight, options.strideWidth),
        dilations: (options.dilationHeight, options.dilationWidth)),
      inputDepth: image[3], filterDepth: filter[3], outputDepth: filter[0])
  }
}

extension Convolution {
  /// Whether filters see a part of the channels each.
  fileprivate var isGrouped: Bool { filterDepth != inputDepth }

  fileprivate var outputExtents: [Int] {
    [window.batches, window.rows.output, window.columns.output, outputDepth]
  }
}

private func prepareFloat(
  _ p: inout Preparation, _ convolution: Convolution, activation: Activation
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Float.self)
  let w = try p.input(1, as: Float.self)
  let bias = try p.optionalInput(2, as: Float.self)
  let y = try p.output(0, as: Float.self, shape: try p.shape(convolution.outputExtents))
  let range = try p.floatRange(of: activation)
  if !convolution.isGrouped,
    let (weights, biases) = try p.constantWeights(as: Float.self, bias: Float.self)
  {
    let kernel = Float32Convolution(
      convolution, filter: weights, bias: biases, clampedTo: range, workers: p.workerCount)
    let scratch = try p.scratch(kernel.scratchCount, as: Float.self)
    return { e in kernel(e[x], scratch: e[scratch], into: e[y], workers: e.workers) }
  }
  return { e in
    Reference.convolve(
      e[x], filter: e[w], bias: e[bias], convolution, clampedTo: range, into: e[y])
  }
}

private func prepareByte<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ convolution: Convolution, activation: Activation, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Scalar.self)
  let w = try p.input(1, as: Scalar.self)
  let bias = try p.optionalInput(2, as: Int32.self)
  let y = try p.output(0, as: Scalar.self, shape: try p.shape(convolution.outputExtents))
  let requantizer = try p.requantizer(
    channels: convolution.outputDepth, axis: 0, activation: activation, as: Scalar.self)
  let inputOffset = -Int32(try p.perTensorQuantization(input: 0).zeroPoint)
  let filterOffset = try p.weightOffset(isAffine: Scalar.elementType == .uint8)
  if !convolution.isGrouped,
    let (weights, biases) = try p.constantWeights(as: Scalar.self, bias: Int32.self)
  {
    let kernel = QuantizedConvolution(
      convolution, zero: ByteZero(isSigned: Scalar.isSigned, zeroPoint: -inputOffset),
      filter: weights.widened(offset: filterOffset), bias: biases, requantizer: requantizer,
      workers: p.workerCount)
    let scratch = try p.scratch(kernel.scratchCount, as: Int32.self)
    return { e in
      kernel(
        UnsafeMutableRawBufferPointer(e[x]), scratch: e[scratch],
        into: UnsafeMutableRawBufferPointer(e[y]), workers: e.workers)
    }
  }
  return { e in
    Reference.convolve(
      e[x], offset: inputOffset, filter: e[w], offset: filterOffset, bias: e[bias], convolution,
      requantizer: requantizer, into: e[y])
  }
}

private func prepareShort<Bias: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ convolution: Convolution, activation: Activation, bias: Bias.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Int16.self)
  let w = try p.input(1, as: Int8.self)
  let bias = try p.optionalInput(2, as: Bias.self)
  let y = try p.output(0, as: Int16.self, shape: try p.shape(convolution.outputExtents))
  try p.expectSymmetric(inputs: [0, 1], outputs: [0])
  let requantizer = try p.requantizer(
    channels: convolution.outputDepth, axis: 0, activation: activation, as: Int16.self)
  return { e in
    Reference.convolve(
      e[x], filter: e[w], bias: e[bias], convolution, requantizer: requantizer, into: e[y])
  }
}

private func prepareHybrid(
  _ p: inout Preparation, _ convolution: Convolution, activation: Activation
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Float.self)
  let w = try p.input(1, as: Int8.self)
  let bias = try p.optionalInput(2, as: Float.self)
  let y = try p.output(0, as: Float.self, shape: try p.shape(convolution.outputExtents))
  let factors = try p.weightScales(channels: convolution.outputDepth, axis: 0)
  let range = try p.floatRange(of: activation)
  let run = x.shape.product(1..<4)
  let (steps, scales) = try p.rows(ofInput: 0, run: run)
  // LiteRT quantises symmetrically where one scale serves all filters of an ungrouped convolution.
  let isGrouped = convolution.filterDepth != convolution.inputDepth
  let isAsymmetric = isGrouped || factors.contains { $0 != factors[0] }
  return { e in
    Reference.quantizeRows(
      e[x], run: run, isAsymmetric: isAsymmetric, into: e[steps], scales: e[scales])
    Reference.convolve(
      steps: e[steps], scales: e[scales], filter: e[w], factors: factors, bias: e[bias],
      convolution, clampedTo: range, into: e[y])
  }
}
