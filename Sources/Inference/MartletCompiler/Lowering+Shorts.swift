//===--- Lowering+Shorts.swift - layers of 16-bit integers ----------------===//
//
// Contract  As in `Lowering.swift`. Zero points are 0; weights are bytes and biases have 64 bits.
// Checked   Tests/MartletCompilerTests/OperatorCasesTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference
import MartletTensor

extension Lowering {
  /// Lowers an operator whose first operand is int16.
  mutating func lowerShorts(
    _ n: Node, _ code: BuiltinOperator, _ options: OperatorOptions
  ) throws(CompileError) {
    guard let x = shorts(n, n.input(0)), let y = shorts(n, n.output) else { return }
    let scales = (x: x.scale, y: y.scale)
    switch (code, options) {
    case (.conv2D, .conv2D(let o)): try lowerShortConvolution(n, WindowOptions(o), scales)
    case (.depthwiseConv2D, .depthwiseConv2D(let o)):
      try lowerShortDepthwise(n, WindowOptions(o), scales)
    case (.fullyConnected, .fullyConnected(let o)): try lowerShortConnected(n, o, scales)
    case (.averagePool2D, .pool2D(let o)): try lowerShortPool(n, o, .averageShorts)
    case (.maxPool2D, .pool2D(let o)): try lowerShortPool(n, o, .maxShorts)
    case (.mean, .reducer): try lowerShortMean(n, x, y)
    case (.add, .add(let o)): try lowerShortSum(n, .sum, o.activation, shifts: o.potScaleInt16)
    case (.sub, .sub(let o)):
      try lowerShortSum(n, .difference, o.activation, shifts: o.potScaleInt16)
    case (.mul, .mul(let o)): try lowerShortProduct(n, o.activation)
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
    _ n: Node, _ o: WindowOptions, _ scales: (x: Float, y: Float)
  ) throws(CompileError) {
    let (image, filter) = (shape(n.input(0)), shape(n.input(1)))
    guard image.rank == 4, image[0] == 1, filter.rank == 4, filter[3] == image[3] else {
      return note("\(n.name) of groups or of several images")
    }
    let window = try window(n, image, (filter[1], filter[2]), o.padding, o.strides, o.dilations)
    let taps = filter[1] * filter[2] * filter[3]
    try lowerShorts(n, .convolveShorts, window, image[3], filter[0], axis: 0, o.activation) {
      weights, bias, channel in
      let values = weights.values[channel * taps..<(channel + 1) * taps]
      return ShortScaling(values, bias: bias, weights.scales[channel], scales)?.integers
    }
  }

  private mutating func lowerShortDepthwise(
    _ n: Node, _ o: WindowOptions, _ scales: (x: Float, y: Float)
  ) throws(CompileError) {
    let (image, filter) = (shape(n.input(0)), shape(n.input(1)))
    guard image.rank == 4, image[0] == 1, filter.rank == 4, filter[0] == 1, image[3] > 0,
      filter[3].isMultiple(of: image[3])
    else { return note("\(n.name) of several images") }
    let window = try window(n, image, (filter[1], filter[2]), o.padding, o.strides, o.dilations)
    let outputs = filter[3]
    try lowerShorts(
      n, .convolveDepthwiseShorts, window, image[3], outputs, axis: 3, o.activation
    ) { weights, bias, channel in
      let places = stride(from: channel, to: weights.values.count, by: outputs)
      return ShortScaling(
        places.map { weights.values[$0] }, bias: bias, weights.scales[channel], scales)?
        .integers
    }
  }

  private mutating func lowerShortConnected(
    _ n: Node, _ o: FullyConnectedOptions, _ scales: (x: Float, y: Float)
  ) throws(CompileError) {
    let filter = shape(n.input(1))
    guard filter.rank == 2, o.weightsFormat == .normal, filter[1] > 0 else {
      return note("\(n.name) of shuffled weights")
    }
    let (units, depth) = (filter[0], filter[1])
    let column = Shape([1, shape(n.input(0)).elementCount / depth, 1, depth])
    let window = try window(n, column, (1, 1), .valid, (1, 1), (1, 1))
    try lowerShorts(n, .connectShorts, window, depth, units, axis: 0, o.activation) {
      weights, bias, unit in
      let values = weights.values[unit * depth..<(unit + 1) * depth]
      let factor = Double(scales.x) * Double(weights.scales[unit]) / Double(scales.y)
      return LongRounding(factor, reach: ShortScaling.reach(values, bias: bias))?.integers
    }
  }

  /// Appends a layer with weights whose channels have the integers that `scale` returns.
  private mutating func lowerShorts(
    _ n: Node, _ kernel: Kernel, _ window: SlidingWindow, _ depth: Int, _ outputs: Int, axis: Int,
    _ activation: Activation, scale: (_ weights: Weights, _ bias: Int64, _ channel: Int) -> [Int32]?
  ) throws(CompileError) {
    try expect(n, window.outputCount, outputs)
    guard graph.tensors[n.input(1)].type == .int8 else {
      return note("\(n.name) of int16 with weights of \(graph.tensors[n.input(1)].type)")
    }
    let weights = try weights(n, channels: outputs, axis: axis, hasBias: false)
    guard let bias = try longBias(n, count: outputs), let range = shortRange(n, activation),
      hasNoZeroPoint(n, 1)
    else { return }
    var channels: [Int32] = []
    for channel in 0..<outputs {
      guard let integers = scale(weights, bias[channel], channel) else {
        throw .inconsistent(
          node: n.index, reason: "the scale of channel \(channel) is out of range")
      }
      channels += [
        Int32(truncatingIfNeeded: bias[channel]), Int32(truncatingIfNeeded: bias[channel] >> 32),
      ]
      channels += integers
    }
    let record = blob.append(
      record(window, depth, outputs, 0, 0, range) + channels, weights.packed.bytes)
    let order = ReadingOrder(window, depth: 2 * depth, outputDepth: 2 * outputs)
    let isChannelwise = kernel == .convolveDepthwiseShorts && depth == outputs
    append(
      n, kernel, [.record(record), .value(value(n.input(0)))],
      leads: [order.lead(isChannelwise ? .byChannel : .throughout)])
  }

  /// A layer's biases, or `nil` after noting that they have another type.
  private mutating func longBias(_ n: Node, count: Int) throws(CompileError) -> [Int64]? {
    guard n.input(2) >= 0 else { return [Int64](repeating: 0, count: count) }
    let tensor = graph.tensors[n.input(2)]
    guard tensor.type == .int64 else {
      note("\(n.name) of int16 with biases of \(tensor.type)")
      return nil
    }
    guard tensor.shape.elementCount == count else {
      throw .inconsistent(
        node: n.index, reason: "the bias has \(tensor.shape.elementCount) elements")
    }
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
    let image = shape(n.input(0))
    guard image.rank == 4, image[0] == 1 else { return note("\(n.name) of several images") }
    let window = try window(
      n, image, (o.filterHeight, o.filterWidth), o.padding, (o.strideHeight, o.strideWidth), (1, 1))
    try expect(n, window.outputCount, image[3])
    guard o.filterHeight.multipliedReportingOverflow(by: o.filterWidth).partialValue < 1 << 15,
      let range = shortRange(n, o.activation)
    else { return note("\(n.name) of windows of more than 32767 pixels") }
    let record = blob.append(record(window, image[3], image[3], 0, 0, range))
    let order = ReadingOrder(window, depth: 2 * image[3], outputDepth: 2 * image[3])
    append(
      n, kernel, [.record(record), .value(value(n.input(0)))],
      leads: [order.lead(.byChannel)])
  }

  private mutating func lowerShortMean(
    _ n: Node, _ x: Quantization, _ y: Quantization
  ) throws(CompileError) {
    let image = shape(n.input(0))
    guard try isMeanOfPixels(n) else {
      return note("\(n.name) along other axes than height and width")
    }
    try expect(n, image[3])
    let count = image[1] * image[2]
    let factor = QuantizedMean(of: count, input: x, output: y, range: 0...0)
      .requantizer.multipliers[0]
    let record = blob.append([
      Int32(count), Int32(image[3]), 0, factor.mantissa, 0 - factor.shift, 0, -32768, 32767,
    ])
    append(n, .meanShorts, [.record(record), .value(value(n.input(0)))], leads: [0])
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
      n, .softmaxShorts, [.record(record), .value(value(n.input(0)))],
      tail: [.number("rows", shape.elementCount / depth), .number("depth", depth)], leads: [0])
  }
}
