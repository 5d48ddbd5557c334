//===--- Convolution.swift - CONV_2D --------------------------------------===//
//
// Inputs  0 x: NHWC, float32, uint8, int8 or int16
//         1 w: OHWI of x's type (int8 for int16); one scale for each O, but for uint8. With float32
//           x int8 is possible too: x is then quantised as the graph runs
//         2 bias: one for each O; float32, int32, or int64 for int16. May be absent.
// Output  0 y: NHWC of x's type.
// Source  LiteRT 2.3.0 `conv.cc`.
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletKernels
import MartletModel
import MartletReference
import MartletTensor

extension Registration {
  static let conv2D = Registration(.conv2D, versions: 1...8) { p throws(InferenceError) in
    try p.expect(inputs: 2...3)
    guard case .conv2D(let options) = p.operation.options else { throw .options(node: p.node) }
    let convolution = try p.convolution(options)
    let node = WeightedLayer(
      result: try p.shape(convolution.window.outputExtents(depth: convolution.outputDepth)),
      channels: convolution.outputDepth, activation: options.activation)
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
      return try p.biasIsWide(2)
        ? prepareShort(&p, convolution, node, bias: Int64.self)
        : prepareShort(&p, convolution, node, bias: Int32.self)
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
}

private func prepareFloat(
  _ p: inout Preparation, _ convolution: Convolution, _ node: WeightedLayer
) throws(InferenceError) -> Evaluate {
  let o = try FloatOperands(node, &p)
  let range = try p.floatRange(of: node.activation)
  if !convolution.isGrouped, let fast = try p.fastConvolution(convolution, o, clampedTo: range) {
    return fast
  }
  return { e in
    Reference.convolve(
      e[o.x], filter: e[o.w], bias: e[o.bias], convolution, clampedTo: range, into: e[o.y],
      workers: e.workers)
  }
}

private func prepareByte<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ convolution: Convolution, _ node: WeightedLayer, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let o = try ByteOperands<Scalar>(node, &p)
  let requantizer = try p.requantizer(node, as: Scalar.self)
  let inputOffset = try p.imageOffset(node)
  let filterOffset = try p.weightOffset(isAffine: Scalar.elementType == .uint8)
  if !convolution.isGrouped,
    let (weights, biases) = try p.constantWeights(as: Scalar.self, bias: Int32.self)
  {
    return try p.fast(
      convolution, o, zeroPoint: -inputOffset, filter: weights.widened(offset: filterOffset),
      bias: biases, requantizer: requantizer)
  }
  return { e in
    Reference.convolve(
      e[o.x], offset: inputOffset, filter: e[o.w], offset: filterOffset, bias: e[o.bias],
      convolution, requantizer: requantizer, into: e[o.y], workers: e.workers)
  }
}

private func prepareShort<Bias: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ convolution: Convolution, _ node: WeightedLayer, bias: Bias.Type
) throws(InferenceError) -> Evaluate {
  let o = try ShortOperands<Bias>(node, &p)
  try p.expectSymmetric(node)
  let requantizer = try p.requantizer(node, as: Int16.self)
  return { e in
    Reference.convolve(
      e[o.x], filter: e[o.w], bias: e[o.bias], convolution, requantizer: requantizer, into: e[o.y],
      workers: e.workers)
  }
}

private func prepareHybrid(
  _ p: inout Preparation, _ convolution: Convolution, _ node: WeightedLayer
) throws(InferenceError) -> Evaluate {
  let o = try HybridOperands(node, &p)
  let factors = try p.weightScales(channels: node.channels, axis: node.axis)
  let range = try p.floatRange(of: node.activation)
  // LiteRT quantises symmetrically where one scale serves all filters of an ungrouped convolution.
  let isAsymmetric = convolution.isGrouped || factors.contains { $0 != factors[0] }
  if !convolution.isGrouped,
    let fast = try p.fastHybrid(
      convolution, o, images: o.x.shape[0], isAsymmetric: isAsymmetric, factors: factors,
      factorsFirst: isAsymmetric, clampedTo: range)
  {
    return fast
  }
  let run = o.x.shape.product(1..<4)
  let (steps, scales) = try p.rows(ofInput: 0, run: run)
  return { e in
    Reference.quantizeRows(
      e[o.x], run: run, isAsymmetric: isAsymmetric, into: e[steps], scales: e[scales])
    Reference.convolve(
      steps: e[steps], scales: e[scales], filter: e[o.w], factors: factors,
      factorsFirst: isAsymmetric, bias: e[o.bias], convolution, clampedTo: range, into: e[o.y],
      workers: e.workers)
  }
}
