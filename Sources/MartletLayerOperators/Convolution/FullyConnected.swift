//===--- FullyConnected.swift - FULLY_CONNECTED ---------------------------===//
//
// Inputs  0 x: any shape, read as rows of w's depth; float32, uint8, int8 or int16
//         1 w: [units, depth] of x's type (int8 for int16); one scale, or one for each unit. With
//           float32 x int8 is possible too: x is then quantised as the graph runs. Narrower weights
//           are as int8 ones. Beside float32 there may be a scale for each block of a row, too.
//         2 bias: one for each unit; float32, int32, or int64 for int16. May be absent.
// Output  0 y: [rows, units], or x's shape with `units` last where dimensions are kept; of x's type
// Source  LiteRT 2.3.0 `fully_connected.cc`. Its shuffled weights, an experiment of old, are refused.
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletKernels
import MartletModel
import MartletReference
import MartletTensor

extension Registration {
  static let fullyConnected = Registration(.fullyConnected, versions: 1...14) {
    p throws(InferenceError) in
    try p.expect(inputs: 2...3)
    guard case .fullyConnected(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    guard options.weightsFormat == .normal else {
      throw .option(
        node: p.node, name: "weights_format", value: Int(options.weightsFormat.rawValue))
    }
    let layer = try p.layer()
    let node = WeightedLayer(
      result: try p.outputShape(layer, options), channels: layer.units,
      activation: options.activation)
    switch try p.input(0).type {
    case .float32 where p.isHybrid:
      if let scales = try p.blockScales(layer) {
        return try prepareBlockwise(&p, layer, node, scales)
      }
      return try prepareHybrid(&p, layer, node, isAsymmetric: options.asymmetricQuantizeInputs)
    case .float32: return try prepareFloat(&p, layer, node)
    case .uint8: return try prepareByte(&p, layer, node, as: UInt8.self)
    case .int8: return try prepareByte(&p, layer, node, as: Int8.self)
    case .int16:
      return try p.biasIsWide(2)
        ? prepareShort(&p, layer, node, bias: Int64.self)
        : prepareShort(&p, layer, node, bias: Int32.self)
    case let found:
      throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

extension Preparation {
  fileprivate func layer() throws(InferenceError) -> FullyConnected {
    let x = try input(0).shape
    let weights = try shape(ofInput: 1, ranks: 2...2)
    guard weights[1] > 0, x.elementCount % weights[1] == 0 else {
      throw .extent(
        node: node, operand: .input(1), axis: 1, found: weights[1], expected: x.elementCount)
    }
    try expectBias(2, count: weights[0])
    return FullyConnected(
      rows: x.elementCount / weights[1], depth: weights[1], units: weights[0])
  }

  fileprivate func outputShape(
    _ layer: FullyConnected, _ options: FullyConnectedOptions
  ) throws(InferenceError) -> Shape {
    guard options.keepDimensions else { return try shape([layer.rows, layer.units]) }
    let x = try shape(ofInput: 0, ranks: 1...Shape.maximumRank)
    try expect(x, ofInput: 0, axis: x.rank - 1, extent: layer.depth)
    return try shape(x.dimensions.dropLast() + [layer.units])
  }
}

private func prepareFloat(
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeightedLayer
) throws(InferenceError) -> Evaluate {
  let o = try FloatOperands(node, &p)
  let range = try p.floatRange(of: node.activation)
  if let convolution = Convolution(layer),
    let fast = try p.fastConvolution(convolution, o, clampedTo: range)
  {
    return fast
  }
  return { e in
    Reference.convolve(
      e[o.x], filter: e[o.w], bias: e[o.bias], layer, clampedTo: range, into: e[o.y],
      workers: e.workers)
  }
}

private func prepareByte<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeightedLayer, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let o = try ByteOperands<Scalar>(node, &p)
  let requantizer = try p.realRequantizer(
    channels: layer.units, activation: node.activation, as: Scalar.self)
  let inputOffset = try p.imageOffset(node)
  let weightOffset = try p.weightOffset(isAffine: true)
  if let (weights, biases) = try p.constantWeights(as: Scalar.self, bias: Int32.self) {
    let kernel = QuantizedFullyConnected(
      layer, zero: ByteZero(isSigned: Scalar.isSigned, zeroPoint: -inputOffset),
      weights: weights.widened(offset: weightOffset), bias: biases, requantizer: requantizer,
      workers: p.workerCount)
    let scratch = try p.scratch(kernel.scratchCount, as: Int32.self)
    return { e in
      kernel(
        UnsafeMutableRawBufferPointer(e[o.x]), scratch: e[scratch],
        into: UnsafeMutableRawBufferPointer(e[o.y]), workers: e.workers)
    }
  }
  return { e in
    Reference.convolve(
      e[o.x], offset: inputOffset, filter: e[o.w], offset: weightOffset, bias: e[o.bias], layer,
      requantizer: requantizer, into: e[o.y], workers: e.workers)
  }
}

private func prepareShort<Bias: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeightedLayer, bias: Bias.Type
) throws(InferenceError) -> Evaluate {
  let o = try ShortOperands<Bias>(node, &p)
  try p.expectSymmetric(node)
  let requantizer = try p.realRequantizer(
    channels: layer.units, activation: node.activation, as: Int16.self)
  return { e in
    Reference.convolve(
      e[o.x], filter: e[o.w], bias: e[o.bias], layer, requantizer: requantizer, into: e[o.y],
      workers: e.workers)
  }
}

private func prepareHybrid(
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeightedLayer, isAsymmetric: Bool
) throws(InferenceError) -> Evaluate {
  let o = try HybridOperands(node, &p)
  let factors = try p.weightScales(channels: layer.units, axis: 0)
  let range = try p.floatRange(of: node.activation)
  if let convolution = Convolution(layer),
    let fast = try p.fastHybrid(
      convolution, o, images: layer.rows, isAsymmetric: isAsymmetric, factors: factors,
      factorsFirst: false, clampedTo: range)
  {
    return fast
  }
  let (steps, scales) = try p.rows(ofInput: 0, run: layer.depth)
  return { e in
    Reference.quantizeRows(
      e[o.x], run: layer.depth, isAsymmetric: isAsymmetric, into: e[steps], scales: e[scales])
    Reference.convolve(
      steps: e[steps], scales: e[scales], filter: e[o.w], factors: factors, bias: e[o.bias], layer,
      clampedTo: range, into: e[o.y], workers: e.workers)
  }
}

private func prepareBlockwise(
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeightedLayer, _ blockScales: [Float]
) throws(InferenceError) -> Evaluate {
  let o = try HybridOperands(node, &p)
  let range = try p.floatRange(of: node.activation)
  let (steps, scales) = try p.rows(ofInput: 0, run: layer.depth)
  return { e in
    Reference.quantizeRows(
      e[o.x], run: layer.depth, isAsymmetric: true, into: e[steps], scales: e[scales])
    Reference.convolve(
      steps: e[steps], scales: e[scales], filter: e[o.w], blockScales: blockScales,
      bias: e[o.bias], layer, clampedTo: range, into: e[o.y])
  }
}

extension Preparation {
  /// The scales of the weights, those of a row's blocks one after the other, or `nil` where they are
  /// not quantised in blocks.
  fileprivate func blockScales(_ layer: FullyConnected) throws(InferenceError) -> [Float]? {
    guard case .blockwise(let map) = try input(1).quantizationDetails else { return nil }
    let info = tensors.infos[map.scales]
    let count = info.shape.elementCount
    let (expected, overflow) = layer.units.multipliedReportingOverflow(
      by: layer.depth / map.blockSize)
    guard map.zeroPoints == nil, layer.depth % map.blockSize == 0, !overflow, count == expected,
      info.isConstant, let memory = tensors.known(map.scales),
      info.type == .float16 || info.type == .float32
    else { throw .quantization(node: node, operand: .input(1)) }
    try takePrepared(count, of: MemoryLayout<Float>.stride)
    let scales = (0..<count).map { index in
      info.type == .float32
        ? memory.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
        : Float(
          halfBits: memory.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self).littleEndian)
    }
    // A block of zeros may have a scale of zero.
    guard scales.allSatisfy({ $0 >= 0 && $0.isFinite }) else {
      throw .quantization(node: node, operand: .input(1))
    }
    return scales
  }
}
