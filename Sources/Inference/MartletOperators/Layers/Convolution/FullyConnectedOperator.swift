//===--- FullyConnectedOperator.swift - FULLY_CONNECTED -------------------===//
//
// Inputs  0 x: any shape, read as rows of w's depth; float32, uint8, int8 or int16
//         1 w: [units, depth] of x's type (also int8 for int16); one scale, or one for each unit.
//           With float32 x, w may be int8: then x is quantized while the graph runs. Narrower
//           weights are treated as int8. With float32 x, there may be a scale for each block of a
//           row, too.
//         2 bias: one for each unit; float32, int32, or int64 for int16. May be absent.
// Output  0 y: [rows, units], or x's shape with `units` last if dimensions are kept; of x's type,
//           or int16 for uint8
// Source  LiteRT 2.3.0 `fully_connected.cc`. Its experimental shuffled weights are rejected.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

extension OperatorTraits {
  fileprivate static let fullyConnected = OperatorTraits(
    cost: OperatorCost(
      .fastKernels,
      multiplyAdds: OperatorCost.filterProducts),
    isFusible: true)
}

extension Registration {
  package static let fullyConnected = Registration(
    .fullyConnected, versions: 1...14, traits: .fullyConnected
  ) {
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
      activation: options.activation, hasAsymmetricImages: options.asymmetricQuantizeInputs)
    switch try p.input(Input.rows).type {
    case .float32 where p.isHybrid:
      if let scales = try p.blockScales(layer) {
        return try prepareBlockwise(&p, layer, node, scales)
      }
      return try p.prepare(layer, node)
    case .uint8 where try p.output(0).type == .int16: return try prepareWide(&p, layer, node)
    case .int16 where try p.weightsAreWide: return try prepareWide(&p, layer, node)
    default: return try p.prepare(layer, node)
    }
  }
}

/// The operator's inputs.
private enum Input {
  static let rows = 0
  static let weights = 1
  static let bias = 2
}

extension Preparation {
  fileprivate func layer() throws(InferenceError) -> FullyConnected {
    let x = try input(Input.rows).shape
    let weights = try shape(ofInput: Input.weights, ranks: 2...2)
    guard weights[1] > 0, x.elementCount % weights[1] == 0 else {
      throw .extent(
        node: node, operand: .input(Input.weights), axis: 1, found: weights[1],
        expected: x.elementCount)
    }
    try expectBias(Input.bias, count: weights[0])
    return FullyConnected(
      rows: x.elementCount / weights[1], depth: weights[1], units: weights[0])
  }

  fileprivate func outputShape(
    _ layer: FullyConnected, _ options: FullyConnectedOptions
  ) throws(InferenceError) -> Shape {
    guard options.keepDimensions else { return try shape([layer.rows, layer.units]) }
    let x = try shape(ofInput: Input.rows, ranks: 1...Shape.maximumRank)
    try expect(x, ofInput: Input.rows, axis: x.rank - 1, extent: layer.depth)
    return try shape(x.dimensions.dropLast() + [layer.units])
  }
}

extension FullyConnected: HybridLayerKernels {
  func requantizer<Scalar: Element & FixedWidthInteger>(
    _ node: WeightedLayer, _ p: Preparation, as type: Scalar.Type
  ) throws(InferenceError) -> RealRequantizer {
    try p.realRequantizer(channels: units, activation: node.activation, as: type)
  }

  func takesZeroPoints<Scalar: Element>(of: Scalar.Type) -> Bool { true }

  var dense: Convolution? { Convolution(self) }

  func hybridArithmetic(
    _ node: WeightedLayer, x: Shape, factors: [Float], range: ClosedRange<Float>
  ) -> HybridArithmetic {
    HybridArithmetic(
      factors: factors, range: range, isAsymmetric: node.hasAsymmetricImages,
      factorsFirst: false, run: depth)
  }
}

// MARK: - Rare forms with 16-bit results, on reference loops only

extension Preparation {
  /// Whether weights with 16-bit rows have 16 bits themselves, or have a zero point.
  fileprivate var weightsAreWide: Bool {
    get throws(InferenceError) {
      let weights = try input(Input.weights)
      guard weights.type == .int8, let map = weights.quantization else {
        return weights.type == .int16
      }
      return map.isPerTensor && map.zeroPoint != 0
    }
  }
}

private func prepareWide(
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeightedLayer
) throws(InferenceError) -> Evaluate {
  guard try p.input(Input.rows).type == .int16 else {
    return try prepareWide(&p, layer, node, of: UInt8.self, by: UInt8.self, bias: Int32.self)
  }
  let isWide = try p.sumsAreWide(bias: Input.bias)
  return switch (try p.input(Input.weights).type, isWide) {
  case (.int16, false):
    try prepareWide(&p, layer, node, of: Int16.self, by: Int16.self, bias: Int32.self)
  case (.int16, true):
    try prepareWide(&p, layer, node, of: Int16.self, by: Int16.self, bias: Int64.self)
  case (_, false):
    try prepareWide(&p, layer, node, of: Int16.self, by: Int8.self, bias: Int32.self)
  case (_, true):
    try prepareWide(&p, layer, node, of: Int16.self, by: Int8.self, bias: Int64.self)
  }
}

private func prepareWide<
  Image: Element & FixedWidthInteger, Weight: Element & FixedWidthInteger,
  Bias: Element & FixedWidthInteger
>(
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeightedLayer, of: Image.Type,
  by: Weight.Type, bias: Bias.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(Input.rows, as: Image.self)
  let w = try p.input(Input.weights, as: Weight.self)
  let bias = try p.optionalInput(Input.bias, as: Bias.self)
  let y = try p.output(0, as: Int16.self, shape: node.result)
  try p.expectSymmetric(inputs: Image.isSigned ? [Input.rows] : [], outputs: [0])
  let xOffset = -Int64(try p.perTensorQuantization(input: Input.rows).zeroPoint)
  let wOffset = Int64(try p.weightOffset(isAffine: true))
  // LiteRT scales sums of 16-bit weights in fixed point, and all others in double precision.
  let fixed =
    Weight.elementType == .int16
    ? try p.requantizer(
      channels: layer.units, axis: 0, activation: node.activation, as: Int16.self,
      productInSinglePrecision: try p.input(Input.weights).quantization?.isPerTensor == true)
    : nil
  let real = try p.realRequantizer(
    channels: layer.units, activation: node.activation, as: Int16.self)
  return { e in
    let (x, w, bias, y) = (e[x], e[w], e[bias], e[y])
    layer.split(e.workers) { rows in
      layer.forEachSum(in: rows) { (sum: inout Int64, i, j) in
        sum &+= (Int64(x[i]) &+ xOffset) &* (Int64(w[j]) &+ wOffset)
      } finish: { sum, i, channel in
        let biased = bias.isEmpty ? sum : sum &+ Int64(bias[channel])
        y[i] = Int16(
          truncatingIfNeeded: fixed?(biased, channel: channel) ?? real(biased, channel: channel))
      }
    }
  }
}

private func prepareBlockwise(
  _ p: inout Preparation, _ layer: FullyConnected, _ node: WeightedLayer, _ blockScales: [Float]
) throws(InferenceError) -> Evaluate {
  let o = try HybridOperands(node, &p)
  let range = try p.floatRange(of: node.activation)
  let (values, scales) = try p.rows(ofInput: Input.rows, run: layer.depth)
  return { e in
    Reference.quantizeRows(
      e[o.x], run: layer.depth, isAsymmetric: true, into: e[values], scales: e[scales])
    Reference.convolve(
      values: e[values], scales: e[scales], filter: e[o.w], blockScales: blockScales,
      bias: e[o.bias], layer, clampedTo: range, into: e[o.y])
  }
}

extension Preparation {
  /// The scales of the weights, block by block in each row, or `nil` if they are not quantized in
  /// blocks.
  fileprivate func blockScales(_ layer: FullyConnected) throws(InferenceError) -> [Float]? {
    guard case .blockwise(let map) = try input(Input.weights).quantizationDetails else {
      return nil
    }
    let info = tensors.infos[map.scales]
    let count = info.shape.elementCount
    let (expected, overflow) = layer.units.multipliedReportingOverflow(
      by: layer.depth / map.blockSize)
    guard map.zeroPoints == nil, layer.depth % map.blockSize == 0, !overflow, count == expected,
      info.isConstant, let memory = tensors.known(map.scales),
      info.type == .float16 || info.type == .float32
    else { throw .quantization(node: node, operand: .input(Input.weights)) }
    try takePrepared(count, of: MemoryLayout<Float>.stride)
    let scales = (0..<count).map { index in
      info.type == .float32
        ? memory.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
        : Float(
          halfBits: memory.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self).littleEndian)
    }
    // A block of zeros may have a scale of zero.
    guard scales.allSatisfy({ $0 >= 0 && $0.isFinite }) else {
      throw .quantization(node: node, operand: .input(Input.weights))
    }
    return scales
  }
}
