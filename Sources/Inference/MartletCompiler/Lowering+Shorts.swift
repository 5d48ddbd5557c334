//===--- Lowering+Shorts.swift - layers of 16-bit integers ----------------===//
//
// Contract  As in `Lowering.swift`. Zero points are 0; weights are bytes and biases have 64 bits.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Lowering {
  /// Lowers an operator whose first operand is int16.
  mutating func lowerShorts(
    _ n: Node, _ code: BuiltinOperator, _ options: OperatorOptions
  ) throws(CompileError) {
    guard let x = shorts(n, n.input(0)), let y = shorts(n, n.output) else { return }
    let scales = (x: x.scale, y: y.scale)
    switch (code, options) {
    case (.conv2D, .conv2D(let o)):
      try lowerShortConvolution(n, WindowOptions(o), .convolveShorts, scales)
    case (.depthwiseConv2D, .depthwiseConv2D(let o)):
      try lowerShortConvolution(n, WindowOptions(o), .convolveDepthwiseShorts, scales)
    case (.fullyConnected, .fullyConnected(let o)): try lowerShortConnected(n, o, scales)
    case (.averagePool2D, .pool2D(let o)): try lowerShortPool(n, o, .averageShorts)
    case (.maxPool2D, .pool2D(let o)): try lowerShortPool(n, o, .maxShorts)
    case (.mean, .reducer): try lowerShortMean(n, x, y)
    case (.add, .add(let o)): try lowerShortSum(n, .sum, o.activation, shifts: o.potScaleInt16)
    case (.sub, .sub(let o)):
      try lowerShortSum(n, .difference, o.activation, shifts: o.potScaleInt16)
    case (.mul, .mul(let o)): try lowerShortProduct(n, o.activation)
    case (.leakyRelu, .leakyRelu(let o)):
      let relu = QuantizedLeakyRelu(input: x, alpha: o.alpha, output: y)
      let factors = [relu.positive, relu.negative].flatMap { [$0.mantissa, 0 - $0.shift] }
      let count = shape(n.input(0)).elementCount
      try expect(n, count)
      append(
        n, .leakyReluShorts, blob.append(factors + [relu.isNegated ? 1 : 0]),
        tail: [.number("count", count)], lead: 0)
    case (.softmax, .softmax(let o)): try lowerShortSoftmax(n, o, x)
    default: note("\(n.name) of int16")
    }
  }

  /// The map of a 16-bit tensor, or `nil` after noting why there is none.
  mutating func shorts(_ n: Node, _ tensor: Int) -> Quantization? {
    let description = graph.tensors[tensor]
    guard description.type == .int16, let map = description.quantization, map.isPerTensor,
      map.scale > 0, map.scale.isFinite, map.zeroPoint == 0
    else {
      note("\(n.name) of int16 and \(description.type), or without a scale")
      return nil
    }
    return map
  }

  // MARK: - Layers with weights

  private mutating func lowerShortConvolution(
    _ n: Node, _ o: WindowOptions, _ kernel: Kernel, _ scales: (x: Float, y: Float)
  ) throws(CompileError) {
    let isDepthwise = kernel == .convolveDepthwiseShorts
    guard let layer = try filtering(n, o, isDepthwise: isDepthwise) else { return }
    try lowerShorts(n, kernel, layer, o.activation, scales) {
      ShortScaling($0, reach: $1)?.integers
    }
  }

  private mutating func lowerShortConnected(
    _ n: Node, _ o: FullyConnectedOptions, _ scales: (x: Float, y: Float)
  ) throws(CompileError) {
    guard let layer = try connecting(n, o) else { return }
    try lowerShorts(n, .connectShorts, layer, o.activation, scales) {
      LongRounding($0, reach: $1)?.integers
    }
  }

  /// Appends a layer with weights whose channels have the integers that `scale` returns for the
  /// factor of their sums and a bound of the sums' magnitudes.
  private mutating func lowerShorts(
    _ n: Node, _ kernel: Kernel, _ layer: Filtering, _ activation: Activation,
    _ scales: (x: Float, y: Float), scale: (_ factor: Double, _ reach: Double) -> [Int32]?
  ) throws(CompileError) {
    let isDepthwise = kernel == .convolveDepthwiseShorts
    guard graph.tensors[n.input(1)].type == .int8 else {
      return note("\(n.name) of int16 with weights of \(graph.tensors[n.input(1)].type)")
    }
    let weights = try weights(
      n, channels: layer.outputs, axis: isDepthwise ? 3 : 0, hasBias: false)
    guard let bias = try longBias(n, count: layer.outputs), let range = shortRange(n, activation),
      hasNoZeroPoint(n, 1)
    else { return }
    var reaches = bias.map { Double($0.magnitude) }
    let run = isDepthwise ? 1 : weights.values.count / layer.outputs
    for (index, weight) in weights.values.enumerated() {
      reaches[index / run % layer.outputs] += 0x1p15 * Double(weight.magnitude)
    }
    var channels: [Int32] = []
    for channel in 0..<layer.outputs {
      let factor = Double(scales.x) * Double(weights.scales[channel]) / Double(scales.y)
      guard let integers = scale(factor, reaches[channel]) else {
        throw .scale(node: n.index, channel: channel, factor: factor, reach: reaches[channel])
      }
      let words = [bias[channel], bias[channel] >> 32].map { Int32(truncatingIfNeeded: $0) }
      channels += words + integers
    }
    let isByChannel = isDepthwise && layer.depth == layer.outputs
    append(
      n, kernel, blob.append(record(layer, range) + channels, weights.packed.bytes),
      lead: layer.order(elementSize: 2).lead(isByChannel ? .first : .throughout))
  }

  /// A layer's biases, or `nil` after noting that they have another type.
  private mutating func longBias(_ n: Node, count: Int) throws(CompileError) -> [Int64]? {
    guard n.input(2) >= 0 else { return [Int64](repeating: 0, count: count) }
    let tensor = graph.tensors[n.input(2)]
    guard tensor.type == .int64 else {
      note("\(n.name) of int16 with biases of \(tensor.type)")
      return nil
    }
    try expectBias(n, shape(n.input(2)).elementCount, expected: count)
    let start = try constant(n, 2).lowerBound
    return (0..<count).map { index in
      let place = start + 8 * index
      return Int64(integer(at: place + 4)) << 32
        | Int64(UInt32(bitPattern: integer(at: place)))
    }
  }

  /// Whether the zero points of an operand are 0; notes it otherwise.
  mutating func hasNoZeroPoint(_ n: Node, _ operand: Int) -> Bool {
    let map = graph.tensors[n.input(operand)].quantization
    guard map?.zeroPoints.allSatisfy({ $0 == 0 }) ?? true else {
      note("\(n.name) with zero points of weights")
      return false
    }
    return true
  }

  /// The range of results, or `nil` after noting that the activation does more than clamp.
  private mutating func shortRange(
    _ n: Node, _ activation: Activation
  ) -> ClosedRange<Int32>? {
    guard let real = activation.realRange, let map = graph.tensors[n.output].quantization else {
      note("\(n.name) with the activation \(activation)")
      return nil
    }
    return map.integers(in: real, as: Int16.self)
  }

  // MARK: - Layers without weights

  private mutating func lowerShortPool(
    _ n: Node, _ o: Pool2DOptions, _ kernel: Kernel
  ) throws(CompileError) {
    guard let layer = try pooling(n, o), let range = shortRange(n, o.activation) else { return }
    // So that sums have at most 30 bits.
    guard layer.pixelCount < 32768 else {
      return note("\(n.name) of windows of more than 32767 pixels")
    }
    append(
      n, kernel, blob.append(record(layer, range)),
      lead: layer.order(elementSize: 2).lead(.first))
  }

  private mutating func lowerShortMean(
    _ n: Node, _ x: Quantization, _ y: Quantization
  ) throws(CompileError) {
    guard let layer = try meanPooling(n) else { return }
    guard layer.pixelCount < 32768 else { return note("\(n.name) of more than 32767 pixels") }
    let record = blob.append(
      meanRecord(layer, meanFactor(layer, x, y), zeros: (0, 0), range: -32768...32767))
    append(n, .meanShorts, record, lead: 0)
  }

  private mutating func lowerShortSum(
    _ n: Node, _ kind: QuantizedSum.Kind, _ activation: Activation, shifts: Bool
  ) throws(CompileError) {
    guard let a = shorts(n, n.input(0)), let b = shorts(n, n.input(1)), let y = shorts(n, n.output),
      let pair = try pair(n, isCommutative: true), let range = shortRange(n, activation)
    else { return }
    // LiteRT shifts such operands, with another result.
    guard !shifts || ![a, b, y].allSatisfy({ ShortScaling.isPowerOfTwo($0.scale) }) else {
      return note("\(n.name) of int16 with scales that are powers of two")
    }
    let sum = QuantizedSum(kind, a, b, to: y, extraBits: 15, range: 0...0)
    let factors = [sum.scaleA, sum.scaleB]
    let (first, second) = (factors[pair.first], factors[pair.second])
    let record = blob.append([
      0, 0, 0, first.mantissa, 0 - first.shift, second.mantissa, 0 - second.shift,
      sum.scaleY.mantissa, 0 - sum.scaleY.shift, range.lowerBound, range.upperBound,
      Int32(pair.period),
    ])
    append(n, .addShorts, pair, record)
  }

  private mutating func lowerShortProduct(
    _ n: Node, _ activation: Activation
  ) throws(CompileError) {
    guard let a = shorts(n, n.input(0)), let b = shorts(n, n.input(1)), let y = shorts(n, n.output),
      let pair = try pair(n, isCommutative: true), let range = shortRange(n, activation)
    else { return }
    let factor = QuantizedProduct(a, b, to: y, range: 0...0).scale
    let record = blob.append([
      0, 0, 0, factor.mantissa, 0 - factor.shift, range.lowerBound, range.upperBound,
      Int32(pair.period),
    ])
    append(n, .multiplyShorts, pair, record)
  }

  private mutating func lowerShortSoftmax(
    _ n: Node, _ o: SoftmaxOptions, _ x: Quantization
  ) throws(CompileError) {
    let steps = Double(o.beta) * Double(x.scale)
    guard steps > 0, steps.isFinite else { throw .quantization(node: n.index, operand: 0) }
    try expect(n, shape(n.input(0)).elementCount)
    let shape = shape(n.output)
    guard let depth = shape.dimensions.last, depth > 0 else { return try alias(n) }
    let softmax = ShortSoftmax(steps: steps)
    let samples: [Int16] = softmax.exponential.samples + [0] + softmax.reciprocal.samples + [0]
    let record = blob.append(
      [softmax.multiplier.mantissa, 0 - softmax.multiplier.shift],
      samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
    append(
      n, .softmaxShorts, record,
      tail: [.number("rows", shape.elementCount / depth), .number("depth", depth)], lead: 0)
  }
}
