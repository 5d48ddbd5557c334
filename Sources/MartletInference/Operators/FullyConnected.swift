//===--- FullyConnected.swift - FULLY_CONNECTED ---------------------------===//
//
// Inputs  0 x: any shape, read as rows of w's depth; float32, uint8, int8 or int16
//         1 w: [units, depth] of x's type (int8 for int16); one scale, or one for each unit. With
//           float32 x int8 and constant int4 are possible too: x is then quantised as the graph runs
//         2 bias: one for each unit; float32, int32, or int64 for int16. May be absent.
// Output  0 y: [rows, units], or x's shape with `units` last where dimensions are kept; of x's type
// Source  LiteRT 2.3.0 `fully_connected.cc`. Its shuffled weights, an experiment of old, are refused.
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletModel
import MartletTensor

extension Registration {
  static let fullyConnected = Registration(.fullyConnected, versions: 1...13) {
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
    let node = WeighingNode(
      result: try p.outputShape(layer, options), channels: layer.units,
      activation: options.activation)
    switch try p.input(0).type {
    case .float32 where p.isHybrid || p.hasPackedWeights:
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
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeighingNode
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
      e[o.x], filter: e[o.w], bias: e[o.bias], layer, clampedTo: range, into: e[o.y])
  }
}

private func prepareByte<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeighingNode, as: Scalar.Type
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
      requantizer: requantizer, into: e[o.y])
  }
}

private func prepareShort<Bias: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeighingNode, bias: Bias.Type
) throws(InferenceError) -> Evaluate {
  let o = try ShortOperands<Bias>(node, &p)
  try p.expectSymmetric(node)
  let requantizer = try p.realRequantizer(
    channels: layer.units, activation: node.activation, as: Int16.self)
  return { e in
    Reference.convolve(
      e[o.x], filter: e[o.w], bias: e[o.bias], layer, requantizer: requantizer, into: e[o.y])
  }
}

private func prepareHybrid(
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeighingNode, isAsymmetric: Bool
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Float.self)
  let w = p.isHybrid ? try p.input(1, as: Int8.self) : nil
  let unpacked = p.isHybrid ? nil : try p.unpackedWeights()
  let bias = try p.optionalInput(2, as: Float.self)
  let y = try p.output(0, as: Float.self, shape: node.result)
  let factors = try p.weightScales(channels: layer.units, axis: 0)
  let range = try p.floatRange(of: node.activation)
  let (steps, scales) = try p.rows(ofInput: 0, run: layer.depth)
  return { e in
    Reference.quantizeRows(
      e[x], run: layer.depth, isAsymmetric: isAsymmetric, into: e[steps], scales: e[scales])
    let weights =
      unpacked.map {
        UnsafeMutableBufferPointer(
          start: $0.base.assumingMemoryBound(to: Int8.self), count: layer.units * layer.depth)
      } ?? e[w]
    Reference.convolve(
      steps: e[steps], scales: e[scales], filter: weights, factors: factors, bias: e[bias], layer,
      clampedTo: range, into: e[y])
  }
}
