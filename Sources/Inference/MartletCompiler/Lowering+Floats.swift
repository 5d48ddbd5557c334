//===--- Lowering+Floats.swift - layers of floats -------------------------===//
//
// Contract  As in `Lowering.swift`; numbers in records have the bits of floats.
// Checked   Tests/MartletCompilerTests/OperatorCasesTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

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
    case (.relu, _): try lowerFloatMap(n, .clampFloats, [0, .greatestFiniteMagnitude])
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
    let image = shape(n.input(0))
    let filter = shape(n.input(1))
    guard image.rank == 4, image[0] == 1, filter.rank == 4, filter[3] == image[3] else {
      return note("\(n.name) of groups or of several images")
    }
    let window = try window(n, image, (filter[1], filter[2]), o.padding, o.strides, o.dilations)
    guard !isHybrid(n) else {
      return try lowerHybrid(n, .convolveHybrid, window, image[3], filter[0], axis: 0, o.activation)
    }
    try lowerFloatConvolution(n, window, depth: image[3], outputs: filter[0], o.activation)
  }

  private mutating func lowerFloatConvolution(
    _ n: Node, _ window: SlidingWindow, depth: Int, outputs: Int, _ activation: Activation
  ) throws(CompileError) {
    try expect(n, window.outputCount, outputs)
    guard let weights = try floats(n, 1), let range = range(n, activation) else { return }
    let bias = try bias(n, count: outputs)
    let taps = window.rows.filter * window.columns.filter * depth
    var packed: [Int32] = []
    for first in stride(from: 0, to: outputs, by: 4) {
      let channels = (first..<first + 4).map { $0 < outputs ? $0 : nil }
      packed += channels.map { $0.map { bias[$0] } ?? 0 }
      for tap in 0..<taps {
        packed += channels.map { $0.map { weights[$0 * taps + tap] } ?? 0 }
      }
    }
    let record = blob.append(record(window, depth, outputs, 0, 0, range) + packed)
    let order = ReadingOrder(window, depth: 4 * depth, outputDepth: 4 * outputs)
    append(
      n, .convolveFloats, [.record(record), .value(value(n.input(0)))],
      leads: [order.lead(.throughout)])
  }

  private mutating func lowerFloatDepthwise(
    _ n: Node, _ o: WindowOptions
  ) throws(CompileError) {
    let image = shape(n.input(0))
    let filter = shape(n.input(1))
    guard image.rank == 4, image[0] == 1, filter.rank == 4, filter[0] == 1, image[3] > 0,
      filter[3].isMultiple(of: image[3])
    else { return note("\(n.name) of several images") }
    let window = try window(n, image, (filter[1], filter[2]), o.padding, o.strides, o.dilations)
    let outputs = filter[3]
    guard !isHybrid(n) else {
      return try lowerHybrid(
        n, .convolveDepthwiseHybrid, window, image[3], outputs, axis: 3, o.activation)
    }
    try expect(n, window.outputCount, outputs)
    guard let weights = try floats(n, 1), let range = range(n, o.activation) else { return }
    let record = blob.append(
      try record(window, image[3], outputs, 0, 0, range) + bias(n, count: outputs) + weights)
    let order = ReadingOrder(window, depth: 4 * image[3], outputDepth: 4 * outputs)
    append(
      n, .convolveDepthwiseFloats, [.record(record), .value(value(n.input(0)))],
      leads: [order.lead(outputs == image[3] ? .byChannel : .throughout)])
  }

  private mutating func lowerFloatConnected(
    _ n: Node, _ o: FullyConnectedOptions
  ) throws(CompileError) {
    let filter = shape(n.input(1))
    guard filter.rank == 2, o.weightsFormat == .normal, filter[1] > 0 else {
      return note("\(n.name) of shuffled weights")
    }
    let (units, depth) = (filter[0], filter[1])
    let rows = shape(n.input(0)).elementCount / depth
    try expect(n, rows, units)
    let column = Shape([1, rows, 1, depth])
    guard !isHybrid(n) else {
      let row = try window(n, Shape([1, 1, 1, depth]), (1, 1), .valid, (1, 1), (1, 1))
      return try lowerHybrid(
        n, .connectHybrid, row, depth, units, axis: 0, o.activation, rows: rows,
        isAsymmetric: o.asymmetricQuantizeInputs)
    }
    let window = try window(n, column, (1, 1), .valid, (1, 1), (1, 1))
    try lowerFloatConvolution(n, window, depth: depth, outputs: units, o.activation)
  }

  /// Whether a layer of floats has signed bytes as weights.
  private func isHybrid(_ n: Node) -> Bool { graph.tensors[n.input(1)].type == .int8 }

  /// Lowers a layer of floats with signed bytes as weights.
  private mutating func lowerHybrid(
    _ n: Node, _ kernel: Kernel, _ window: SlidingWindow, _ depth: Int, _ outputs: Int, axis: Int,
    _ activation: Activation, rows: Int? = nil, isAsymmetric: Bool? = nil
  ) throws(CompileError) {
    try expect(n, rows ?? 1, window.outputCount, outputs)
    let weights = try weights(n, channels: outputs, axis: axis, hasBias: false)
    guard hasNoZeroPoint(n, 1), let range = range(n, activation) else { return }
    let bias = try bias(n, count: outputs)
    let scales = (0..<outputs).flatMap { [bias[$0], Int32(bits: weights.scales[$0])] }
    // LiteRT quantizes symmetrically if all filters of a convolution share one scale.
    let differs = weights.scales.contains { $0 != weights.scales[0] }
    let hasZero = isAsymmetric ?? (kernel == .convolveDepthwiseHybrid || differs)
    let scalesFirst = kernel == .convolveHybrid && differs
    let record = blob.append(
      record(window, depth, outputs, hasZero ? 1 : 0, scalesFirst ? 1 : 0, range) + scales,
      weights.packed.bytes)
    let order = ReadingOrder(pixelCount: rows ?? 1, depth: 4 * outputs) { 4 * depth * $0 }
    append(
      n, kernel, [.record(record), .value(value(n.input(0)))],
      scratch: 2 * depth * window.rows.input * window.columns.input,
      tail: rows.map { [.number("rows", $0)] } ?? [],
      leads: [rows == nil ? 0 : order.lead(.pixelFirst)])
  }

  // MARK: - Layers without weights

  private mutating func lowerFloatPool(
    _ n: Node, _ o: Pool2DOptions, _ kernel: Kernel
  ) throws(CompileError) {
    let image = shape(n.input(0))
    guard image.rank == 4, image[0] == 1 else { return note("\(n.name) of several images") }
    let window = try window(
      n, image, (o.filterHeight, o.filterWidth), o.padding, (o.strideHeight, o.strideWidth), (1, 1))
    guard let range = range(n, o.activation) else { return }
    try lowerFloatPool(n, window, depth: image[3], range, kernel)
  }

  private mutating func lowerFloatMean(_ n: Node) throws(CompileError) {
    let image = shape(n.input(0))
    guard try isMeanOfPixels(n) else {
      return note("\(n.name) along other axes than height and width")
    }
    let window = try window(n, image, (image[1], image[2]), .valid, (1, 1), (1, 1))
    let all = (low: Int32(bits: -.infinity), high: Int32(bits: .infinity))
    try lowerFloatPool(n, window, depth: image[3], all, .averageFloats)
  }

  private mutating func lowerFloatPool(
    _ n: Node, _ window: SlidingWindow, depth: Int, _ range: (low: Int32, high: Int32),
    _ kernel: Kernel
  ) throws(CompileError) {
    try expect(n, window.outputCount, depth)
    let record = blob.append(record(window, depth, depth, 0, 0, range))
    let order = ReadingOrder(window, depth: 4 * depth, outputDepth: 4 * depth)
    append(
      n, kernel, [.record(record), .value(value(n.input(0)))],
      leads: [order.lead(.byChannel)])
  }

  private mutating func lowerFloatPair(
    _ n: Node, _ kernel: Kernel, _ activation: Activation
  ) throws(CompileError) {
    guard let pair = try pair(n, isCommutative: kernel != .subtractFloats),
      let range = range(n, activation)
    else { return }
    let record = blob.append([Int32(pair.period), range.low, range.high])
    append(n, kernel, pair, record)
  }

  private mutating func lowerFloatMap(
    _ n: Node, _ kernel: Kernel, _ numbers: [Float]
  ) throws(CompileError) {
    try expect(n, shape(n.input(0)).elementCount)
    let head =
      numbers.isEmpty ? [] : [Layer.Part.record(blob.append(numbers.map(Int32.init(bits:))))]
    append(
      n, kernel, head + [.value(value(n.input(0)))],
      tail: [.number("count", shape(n.output).elementCount)], leads: [0])
  }

  private mutating func lowerFloatSoftmax(
    _ n: Node, _ o: SoftmaxOptions
  ) throws(CompileError) {
    try expect(n, shape(n.input(0)).elementCount)
    let shape = shape(n.output)
    guard let depth = shape.dimensions.last, depth > 0 else { return try alias(n) }
    append(
      n, .softmaxFloats,
      [.record(blob.append([Int32(bits: o.beta)])), .value(value(n.input(0)))],
      tail: [.number("rows", shape.elementCount / depth), .number("depth", depth)], leads: [0])
  }

  // MARK: - Numbers

  /// The bits of a constant's floats, or `nil` after noting that it has another type.
  private mutating func floats(_ n: Node, _ operand: Int) throws(CompileError) -> [Int32]? {
    let tensor = graph.tensors[n.input(operand)]
    guard tensor.type == .float32 else {
      note("\(n.name) of float32 with weights of \(tensor.type)")
      return nil
    }
    let range = try constant(n, operand)
    return (0..<tensor.shape.elementCount).map { integer(at: range.lowerBound + 4 * $0) }
  }

  /// The bits of a layer's biases.
  private mutating func bias(_ n: Node, count: Int) throws(CompileError) -> [Int32] {
    guard n.input(2) >= 0 else { return [Int32](repeating: 0, count: count) }
    let stored = try floats(n, 2) ?? []
    guard stored.count == count else {
      throw .inconsistent(node: n.index, reason: "the bias has \(stored.count) elements")
    }
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
