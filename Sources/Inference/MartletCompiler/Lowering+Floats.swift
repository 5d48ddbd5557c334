//===--- Lowering+Floats.swift - layers of floats -------------------------===//
//
// Contract  As in `Lowering.swift`; numbers in records have the bits of floats.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Lowering {
  /// Lowers an operator whose first operand is float32.
  mutating func lowerFloats(
    _ n: Node, _ code: BuiltinOperator, _ options: OperatorOptions
  ) throws(CompileError) {
    guard graph.tensors[n.output].type == .float32 else {
      return note("\(n.name) from float32 to \(graph.tensors[n.output].type)")
    }
    switch (code, options) {
    case (.conv2D, .conv2D(let o)): try lowerFloatConvolution(n, WindowOptions(o))
    case (.depthwiseConv2D, .depthwiseConv2D(let o)): try lowerFloatDepthwise(n, WindowOptions(o))
    case (.fullyConnected, .fullyConnected(let o)): try lowerFloatConnected(n, o)
    case (.averagePool2D, .pool2D(let o)): try lowerFloatPool(n, o, .averageFloats)
    case (.maxPool2D, .pool2D(let o)): try lowerFloatPool(n, o, .maxFloats)
    case (.mean, .reducer): try lowerFloatMean(n)
    case (.add, .add(let o)): try lowerFloatPair(n, .addFloats, o.activation)
    case (.sub, .sub(let o)): try lowerFloatPair(n, .subtractFloats, o.activation)
    case (.mul, .mul(let o)): try lowerFloatPair(n, .multiplyFloats, o.activation)
    case (.prelu, _): try lowerFloatPair(n, .preluFloats, nil)
    case (.relu, _): try lowerFloatMap(n, .clampFloats, [0, .infinity])
    case (.relu6, _): try lowerFloatMap(n, .clampFloats, [0, 6])
    case (.reluN1To1, _): try lowerFloatMap(n, .clampFloats, [-1, 1])
    case (.leakyRelu, .leakyRelu(let o)): try lowerFloatMap(n, .leakyReluFloats, [o.alpha])
    case (.hardSwish, _): try lowerFloatMap(n, .hardSwishFloats, [])
    case (.logistic, _): try lowerFloatMap(n, .logisticFloats, [])
    case (.tanh, _): try lowerFloatMap(n, .tanhFloats, [])
    case (.softmax, .softmax(let o)): try lowerFloatSoftmax(n, o)
    default: note("\(n.name) of float32")
    }
  }

  // MARK: - Layers with weights

  private mutating func lowerFloatConvolution(
    _ n: Node, _ o: WindowOptions
  ) throws(CompileError) {
    guard let layer = try filtering(n, o, isDepthwise: false) else { return }
    if isHybrid(n) {
      let scales = graph.tensors[n.input(1)].quantization?.scales ?? []
      // LiteRT quantizes symmetrically if all filters share one scale.
      let differs = scales.contains { $0 != scales[0] }
      return try lowerHybrid(
        n, .convolveHybrid, layer, axis: 0, o.activation, hasZero: differs, scalesFirst: differs)
    }
    try lowerFloatSums(n, layer, o.activation)
  }

  private mutating func lowerFloatDepthwise(
    _ n: Node, _ o: WindowOptions
  ) throws(CompileError) {
    guard let layer = try filtering(n, o, isDepthwise: true) else { return }
    guard !isHybrid(n) else {
      return try lowerHybrid(
        n, .convolveDepthwiseHybrid, layer, axis: 3, o.activation, hasZero: true)
    }
    guard let weights = try floats(n, 1), let range = range(n, o.activation) else { return }
    let record = blob.append(
      try record(layer, range) + bias(n, count: layer.outputs) + weights)
    append(
      n, .convolveDepthwiseFloats, record,
      lead: layer.order(elementSize: 4).lead(
        layer.outputs == layer.depth ? .first : .throughout))
  }

  private mutating func lowerFloatConnected(
    _ n: Node, _ o: FullyConnectedOptions
  ) throws(CompileError) {
    guard let layer = try connecting(n, o) else { return }
    guard isHybrid(n) else { return try lowerFloatSums(n, layer, o.activation) }
    // Each row is an image of its own.
    guard
      let window = try window(n, Shape([1, 1, 1, layer.depth]), (1, 1), .valid, (1, 1), (1, 1))
    else { return }
    try lowerHybrid(
      n, .connectHybrid,
      Filtering(window: window, depth: layer.depth, outputs: layer.outputs), axis: 0,
      o.activation, hasZero: o.asymmetricQuantizeInputs, rows: layer.window.outputCount)
  }

  /// Lowers a convolution with weights of floats.
  private mutating func lowerFloatSums(
    _ n: Node, _ layer: Filtering, _ activation: Activation
  ) throws(CompileError) {
    guard let weights = try floats(n, 1), let range = range(n, activation) else { return }
    let bias = try bias(n, count: layer.outputs)
    var packed: [Int32] = []
    for first in stride(from: 0, to: layer.outputs, by: 4) {
      let channels = (first..<first + 4).map { $0 < layer.outputs ? $0 : nil }
      packed += channels.map { $0.map { bias[$0] } ?? 0 }
      for tap in 0..<layer.taps {
        packed += channels.map { $0.map { weights[$0 * layer.taps + tap] } ?? 0 }
      }
    }
    append(
      n, .convolveFloats, blob.append(record(layer, range) + packed),
      lead: layer.order(elementSize: 4).lead(.throughout))
  }

  /// Whether a layer of floats has signed bytes as weights.
  private func isHybrid(_ n: Node) -> Bool { graph.tensors[n.input(1)].type == .int8 }

  /// Lowers a layer of floats with signed bytes as weights.
  private mutating func lowerHybrid(
    _ n: Node, _ kernel: Kernel, _ layer: Filtering, axis: Int, _ activation: Activation,
    hasZero: Bool, scalesFirst: Bool = false, rows: Int? = nil
  ) throws(CompileError) {
    let weights = try weights(n, channels: layer.outputs, axis: axis, hasBias: false)
    guard hasNoZeroPoint(n, 1), let range = range(n, activation) else { return }
    let bias = try bias(n, count: layer.outputs)
    let scales = (0..<layer.outputs).flatMap { [bias[$0], Int32(bits: weights.scales[$0])] }
    let head = record(
      layer, inputZero: hasZero ? 1 : 0, outputZero: scalesFirst ? 1 : 0, range)
    let last = (rows ?? 1) - 1
    let order = ReadingOrder(
      rowCount: last + 1, columnCount: 1, depth: 4 * layer.outputs,
      rows: [0, last].map { ($0, 4 * layer.depth * $0) }, columns: [(0, 0)])
    append(
      n, kernel, blob.append(head + scales, weights.packed.bytes),
      scratch: 2 * layer.depth * layer.window.rows.input * layer.window.columns.input,
      tail: rows.map { [.number("rows", $0)] } ?? [],
      lead: rows == nil ? 0 : order.lead(.first))
  }

  // MARK: - Layers without weights

  private mutating func lowerFloatPool(
    _ n: Node, _ o: Pool2DOptions, _ kernel: Kernel
  ) throws(CompileError) {
    guard let layer = try pooling(n, o), let range = range(n, o.activation) else { return }
    // The interpreter counts pixels in floats.
    guard layer.pixelCount <= 1 << 24 else {
      return note("\(n.name) of windows of more than 16 million pixels")
    }
    append(
      n, kernel, blob.append(record(layer, range)),
      lead: layer.order(elementSize: 4).lead(.first))
  }

  private mutating func lowerFloatMean(_ n: Node) throws(CompileError) {
    guard let layer = try meanPooling(n) else { return }
    let all = (low: Int32(bits: -.infinity), high: Int32(bits: .infinity))
    append(
      n, .averageFloats, blob.append(record(layer, all)),
      lead: layer.order(elementSize: 4).lead(.first))
  }

  /// Lowers an operator of two operands; without an activation results are not clamped.
  private mutating func lowerFloatPair(
    _ n: Node, _ kernel: Kernel, _ activation: Activation?
  ) throws(CompileError) {
    let isCommutative = kernel == .addFloats || kernel == .multiplyFloats
    guard let pair = try pair(n, isCommutative: isCommutative) else { return }
    let all = (low: Int32(bits: -.infinity), high: Int32(bits: .infinity))
    guard let range = activation.map({ range(n, $0) }) ?? all else { return }
    let record = blob.append([Int32(pair.period), range.low, range.high])
    append(n, kernel, pair, record)
  }

  private mutating func lowerFloatMap(
    _ n: Node, _ kernel: Kernel, _ numbers: [Float]
  ) throws(CompileError) {
    try expect(n, shape(n.input(0)).elementCount)
    let record = numbers.isEmpty ? nil : blob.append(numbers.map { Int32(bits: $0) })
    append(
      n, kernel, record, tail: [.number("count", shape(n.output).elementCount)], lead: 0)
  }

  private mutating func lowerFloatSoftmax(
    _ n: Node, _ o: SoftmaxOptions
  ) throws(CompileError) {
    try expect(n, shape(n.input(0)).elementCount)
    let shape = shape(n.output)
    guard let depth = shape.dimensions.last, depth > 0 else { return try alias(n) }
    append(
      n, .softmaxFloats, blob.append([Int32(bits: o.beta)]),
      tail: [.number("rows", shape.elementCount / depth), .number("depth", depth)], lead: 0)
  }

  // MARK: - Numbers

  /// The bits of a constant's floats, or `nil` after noting that it has another type.
  private mutating func floats(_ n: Node, _ operand: Int) throws(CompileError) -> [Int32]? {
    let tensor = graph.tensors[n.input(operand)]
    guard tensor.type == .float32 else {
      note("\(n.name) of float32 with weights of \(tensor.type)")
      return nil
    }
    let constant = n.input(operand)
    guard isConstant(halves[constant] ?? constant) else {
      throw .notConstant(node: n.index, operand: operand)
    }
    return constantFloats(constant)
  }

  /// The bits of a layer's biases.
  private mutating func bias(_ n: Node, count: Int) throws(CompileError) -> [Int32] {
    guard n.input(2) >= 0 else { return [Int32](repeating: 0, count: count) }
    let stored = try floats(n, 2) ?? []
    try expectBias(n, stored.count, expected: count)
    return stored
  }

  /// The bits of the least and greatest result, or `nil` after noting that the activation does more
  /// than clamp.
  private mutating func range(
    _ n: Node, _ activation: Activation
  ) -> (low: Int32, high: Int32)? {
    guard let real = activation.realRange else {
      note("\(n.name) with the activation \(activation)")
      return nil
    }
    return (Int32(bits: real.lowerBound), Int32(bits: real.upperBound))
  }
}

extension Int32 {
  /// The bits of a number.
  init(bits number: Float) { self.init(bitPattern: number.bitPattern) }
}
