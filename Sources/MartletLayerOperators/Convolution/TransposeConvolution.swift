//===--- TransposeConvolution.swift - TRANSPOSE_CONV ----------------------===//
//
// Inputs  0 extents: int32 [4], the result's
//         1 w: OHWI of x's type (int8 for int16); one scale for each O, but for uint8
//         2 x: NHWC, float32, uint8, int8 or int16
//         3 bias: one for each O; float32, int32, or int64 for int16. May be absent.
// Output  0 y: NHWC of x's type.
// Source  LiteRT 2.3.0 `transpose_conv.cc`.
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletKernels
import MartletModel
import MartletReference
import MartletTensor

extension Registration {
  static let transposeConv = Registration(.transposeConv, versions: 1...5) {
    p throws(InferenceError) in
    try p.expect(inputs: 3...4)
    guard case .transposeConv(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let shape = try p.shape(try p.integers(of: 0))
    let convolution = try p.transposeConvolution(
      of: 2, to: shape, padding: options.padding,
      strides: (options.strideHeight, options.strideWidth))
    try p.expectBias(3, count: convolution.outputDepth)
    let node = WeightedLayer(
      result: shape, channels: convolution.outputDepth, activation: options.activation, image: 2,
      bias: 3)
    switch try p.input(2).type {
    case .float32: return try p.prepare(convolution, node)
    case .uint8: return try prepareByte(&p, convolution, node, as: UInt8.self)
    case .int8: return try prepareByte(&p, convolution, node, as: Int8.self)
    case .int16:
      return try p.biasIsWide(3)
        ? prepareShort(&p, convolution, node, bias: Int64.self)
        : prepareShort(&p, convolution, node, bias: Int32.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(2), found: found)
    }
  }
}

extension Preparation {
  /// The extents of a transposed convolution of input `index` to an image of shape `result`.
  func transposeConvolution(
    of index: Int, to result: Shape, padding: Padding, strides: (height: Int, width: Int)
  ) throws(InferenceError) -> TransposeConvolution {
    let image = try shape(ofInput: index, ranks: 4...4)
    let filter = try shape(ofInput: 1, ranks: 4...4)
    guard result.rank == 4 else {
      throw .rank(node: node, operand: .output(0), found: result.rank, expected: 4...4)
    }
    try expect(filter, ofInput: 1, axis: 3, extent: image[3])
    for (axis, expected) in [(0, image[0]), (3, filter[0])] where result[axis] != expected {
      throw .extent(
        node: node, operand: .output(0), axis: axis, found: result[axis], expected: expected)
    }
    return TransposeConvolution(
      window: try window(
        on: result, height: filter[1], width: filter[2], padding: padding, strides: strides),
      inputRows: image[1], inputColumns: image[2], inputDepth: image[3], outputDepth: filter[0])
  }

  /// A transposed convolution of floats.
  mutating func prepare(
    _ convolution: TransposeConvolution, _ node: WeightedLayer
  ) throws(InferenceError) -> Evaluate {
    let o = try FloatOperands(node, &self)
    let range = try floatRange(of: node.activation)
    if let (weights, bias) = try constantWeights(as: Float.self, bias: Float.self, at: node.bias),
      let kernel = Float32TransposeConvolution(
        convolution, filter: weights, bias: bias, clampedTo: range, workers: workerCount)
    {
      let scratch = try scratch(kernel.scratchCount, as: Float.self)
      return { e in kernel(e[o.x], scratch: e[scratch], into: e[o.y], workers: e.workers) }
    }
    return { e in
      Reference.convolve(
        e[o.x], filter: e[o.w], bias: e[o.bias], convolution, clampedTo: range, into: e[o.y],
        workers: e.workers)
    }
  }
}

private func prepareByte<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ convolution: TransposeConvolution, _ node: WeightedLayer,
  as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let o = try ByteOperands<Scalar>(node, &p)
  let requantizer = try p.requantizer(node, as: Scalar.self)
  let inputOffset = try p.imageOffset(node)
  let filterOffset = try p.weightOffset(isAffine: Scalar.elementType == .uint8)
  return { e in
    Reference.convolve(
      e[o.x], offset: inputOffset, filter: e[o.w], offset: filterOffset, bias: e[o.bias],
      convolution, requantizer: requantizer, into: e[o.y], workers: e.workers)
  }
}

private func prepareShort<Bias: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ convolution: TransposeConvolution, _ node: WeightedLayer,
  bias: Bias.Type
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
