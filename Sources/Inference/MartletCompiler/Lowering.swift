//===--- Lowering.swift - operators to layers -----------------------------===//
//
// Each operator of the graph becomes a call of a kernel with a record, or nothing: a reshape, and a
// change between signed and unsigned bytes of the same meaning.
//
// Contract  Activations are unsigned bytes; those of int8 tensors have 128 added. Zero points are
//           folded into biases.
// Checked   Tests/MartletCompilerTests/CompiledModelTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference
import MartletTensor

/// The layers of a graph.
struct Lowering {
  /// Memory that layers write, or that the caller gives.
  struct Value {
    enum Place: Equatable {
      case arena
      /// A buffer of the caller, by the index of the graph's input or output.
      case input(Int)
      case output(Int)
    }

    let byteCount: Int
    var place: Place
  }

  let model: Model
  let graph: Subgraph
  let target: CompileTarget
  private(set) var layers: [Layer] = []
  private(set) var values: [Value] = []
  private(set) var blob = WeightsBlob()
  /// The value of each tensor that has one.
  private var valueOfTensor: [Int: Int] = [:]
  private var unsupported: [String] = []

  init(_ model: Model, for target: CompileTarget) throws(CompileError) {
    guard let graph = model.subgraphs.first, !graph.inputs.isEmpty, !graph.outputs.isEmpty else {
      throw .empty
    }
    self.model = model
    self.target = target
    self.graph = graph
    for tensor in graph.tensors where tensor.shapeSignature.contains(where: { $0 < 0 }) {
      // A variable number of images is one image.
      guard !tensor.shapeSignature.dropFirst().contains(where: { $0 < 0 }) else {
        throw .dynamicShape(tensor: tensor.name)
      }
    }
    for tensor in graph.tensors where tensor.shape.elementCount > Lowering.elementLimit {
      throw .tooLarge(tensor: tensor.name, limit: Lowering.elementLimit)
    }
    try takeInputs()
    for (node, operation) in graph.operators.enumerated() { try lower(operation, node) }
    guard unsupported.isEmpty else { throw .unsupported(unsupported) }
    try giveOutputs()
  }

  /// The most elements of a tensor.
  private static let elementLimit = 1 << 26

  // MARK: - Inputs and outputs

  private mutating func takeInputs() throws(CompileError) {
    for (index, tensor) in graph.inputs.enumerated() {
      let count = shape(tensor).elementCount
      let input = add(Value(byteCount: count, place: .input(index)))
      switch graph.tensors[tensor].type {
      case .uint8: valueOfTensor[tensor] = input
      case .int8:
        let value = add(Value(byteCount: count, place: .arena))
        valueOfTensor[tensor] = value
        layers.append(
          Layer(
            comment: "input \(describe(tensor))", kernel: .flipSigns,
            arguments: [.value(input), .number("count", count), .label("to"), .value(value)],
            inputs: [input], output: value))
      case let type: note("input of \(type)")
      }
    }
  }

  private mutating func giveOutputs() throws(CompileError) {
    for (index, tensor) in graph.outputs.enumerated() {
      guard let value = valueOfTensor[tensor] else { throw .empty }
      let count = shape(tensor).elementCount
      let isSigned = graph.tensors[tensor].type == .int8
      if values[value].place == .arena {
        values[value].place = .output(index)
        guard isSigned else { continue }
        layers.append(
          Layer(
            comment: "output \(describe(tensor))", kernel: .flipSigns,
            arguments: [.value(value), .number("count", count), .label("to"), .value(value)],
            inputs: [value], output: value))
      } else {
        throw .unsupported(["an output that is an input or another output"])
      }
    }
  }

  // MARK: - Operators

  private mutating func lower(_ operation: Operator, _ node: Int) throws(CompileError) {
    guard case .builtin(let code) = operation.code else {
      note(operation.code.name)
      return
    }
    let n = Node(operation, node, code.description)
    let needed: Int
    switch code {
    case .conv2D, .depthwiseConv2D, .fullyConnected, .mean, .add, .resizeNearestNeighbor:
      needed = 2
    default: needed = 1
    }
    guard operation.inputs.count >= needed, operation.inputs.prefix(needed).allSatisfy({ $0 >= 0 }),
      let output = operation.outputs.first, output >= 0
    else { throw .inconsistent(node: node, reason: "an input or the output is missing") }
    switch (code, operation.options) {
    case (.conv2D, .conv2D(let o)):
      try lowerConvolution(
        n,
        WindowOptions(
          padding: o.padding, strides: (o.strideHeight, o.strideWidth),
          dilations: (o.dilationHeight, o.dilationWidth), activation: o.activation))
    case (.depthwiseConv2D, .depthwiseConv2D(let o)):
      let options = WindowOptions(
        padding: o.padding, strides: (o.strideHeight, o.strideWidth),
        dilations: (o.dilationHeight, o.dilationWidth), activation: o.activation)
      // Of one channel it is a convolution, whose filters are stored tap by tap.
      if shape(n.input(0)).dimensions.last == 1 {
        try lowerConvolution(n, options, isDepthwise: true)
      } else {
        try lowerDepthwise(n, options)
      }
    case (.fullyConnected, .fullyConnected(let o)): try lowerFullyConnected(n, o)
    case (.averagePool2D, .pool2D(let o)): try lowerPool(n, o, isAverage: true)
    case (.maxPool2D, .pool2D(let o)): try lowerPool(n, o, isAverage: false)
    case (.mean, .reducer): try lowerMean(n)
    case (.add, .add(let o)): try lowerAdd(n, o.activation)
    case (.quantize, _): try lowerQuantize(n)
    case (.logistic, _):
      try lowerFunction(n) { 1 / (1 + Float(VectorMath.exp(Double(-$0)))) }
    case (.tanh, _): try lowerFunction(n) { Float(VectorMath.tanh(Double($0))) }
    case (.softmax, .softmax(let o)): try lowerSoftmax(n, o)
    case (.reshape, _), (.squeeze, _), (.expandDims, _): try alias(n)
    case (.resizeNearestNeighbor, .resizeNearestNeighbor(let o)): try lowerResize(n, o)
    default: note(code.description)
    }
  }

  private struct Node {
    let operation: Operator
    let index: Int
    let name: String

    init(_ operation: Operator, _ index: Int, _ name: String) {
      self.operation = operation
      self.index = index
      self.name = name
    }

    var output: Int { operation.outputs.first ?? 0 }

    func input(_ index: Int) -> Int {
      index < operation.inputs.count ? operation.inputs[index] : -1
    }
  }

  /// The options of a convolution.
  private struct WindowOptions {
    let padding: Padding
    let strides: (height: Int, width: Int)
    let dilations: (height: Int, width: Int)
    let activation: Activation
  }

  /// A byte tensor in its unsigned form.
  private struct Bytes {
    let map: Quantization
    let isSigned: Bool
    var scale: Float { map.scale }
    /// The zero point in the unsigned form.
    var zero: Int32 { Int32(truncatingIfNeeded: map.zeroPoint) &+ offset }
    /// What the unsigned form adds.
    var offset: Int32 { isSigned ? 128 : 0 }
  }

  private mutating func lowerConvolution(
    _ n: Node, _ o: WindowOptions, isDepthwise: Bool = false
  ) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    let image = shape(n.input(0))
    let filter = shape(n.input(1))
    guard image.rank == 4, image[0] == 1, filter.rank == 4,
      filter[isDepthwise ? 0 : 3] == image[3]
    else { return note("\(n.name) of groups or of several images") }
    let window = try window(
      n, image, (filter[1], filter[2]), o.padding, o.strides, o.dilations)
    let outputs = filter[isDepthwise ? 3 : 0]
    try expect(n, window.rows.output, window.columns.output, outputs)
    let depth = filter[1] * filter[2] * image[3]
    var weights = try weights(n, channels: outputs, axis: isDepthwise ? 3 : 0)
    if isDepthwise { weights.transpose(rows: depth, columns: outputs) }
    let range = range(o.activation, y)
    let channels = (0..<outputs).map { channel in
      ChannelScaling(
        weights.values[channel * depth..<(channel + 1) * depth], bias: weights.bias[channel],
        x: (x.scale, x.zero), weight: weights.scales[channel], y: y.scale,
        isSingle: !x.isSigned)
    }
    guard let packed = weights.packed else { return note("\(n.name) of uint8 weights of 9 bits") }
    let head = record(window, image[3], outputs, x.zero, y.zero, range)
    let order = order(window, image[3], outputs)
    guard
      target == .portable || !outputs.isMultiple(of: 2) || !channels.allSatisfy(\.fitsDSP)
    else {
      let groups = (depth + 7) / 8
      let isRectified = y.zero == 0 && range == 0...255
      let record = blob.append(
        head + channels.flatMap(\.dspIntegers),
        DSPWeights.convolution(packed, outputs: outputs, taps: depth))
      return append(
        n, isRectified ? .convolveDSP : .convolveLinearDSP,
        [.record(record), .value(value(n.input(0)))], scratch: 72 * groups,
        leads: [order.lead(readsPixelFirst: true)])
    }
    let record = blob.append(head + channels.flatMap(\.integers), packed)
    append(
      n, .convolve, [.record(record), .value(value(n.input(0)))], scratch: depth,
      leads: [order.lead(readsPixelFirst: true)])
  }

  private mutating func lowerDepthwise(
    _ n: Node, _ o: WindowOptions
  ) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    let image = shape(n.input(0))
    let filter = shape(n.input(1))
    guard image.rank == 4, image[0] == 1, filter.rank == 4, image[3] > 0,
      filter[3].isMultiple(of: image[3])
    else { return note("\(n.name) of several images") }
    let window = try window(
      n, image, (filter[1], filter[2]), o.padding, o.strides, o.dilations)
    let outputs = filter[3]
    try expect(n, window.rows.output, window.columns.output, outputs)
    let weights = try weights(n, channels: outputs, axis: 3)
    let range = range(o.activation, y)
    let channels = (0..<outputs).map { channel in
      ChannelScaling(
        stride(from: channel, to: weights.values.count, by: outputs).map { weights.values[$0] },
        bias: weights.bias[channel], x: (x.scale, x.zero), weight: weights.scales[channel],
        y: y.scale, isSingle: !x.isSigned)
    }
    guard let packed = weights.packed else { return note("\(n.name) of uint8 weights of 9 bits") }
    let head = record(window, image[3], outputs, x.zero, y.zero, range)
    let order = order(window, image[3], outputs)
    let fitsDSP =
      target == .dsp && filter[1] == 3 && filter[2] == 3 && o.dilations == (1, 1)
      && outputs == image[3] && outputs.isMultiple(of: 4) && y.zero == 0
      && range == 0...255 && channels.allSatisfy(\.fitsDSP)
    let record =
      fitsDSP
      ? blob.append(
        head + channels.flatMap(\.dspIntegers), DSPWeights.depthwise(packed, channels: outputs))
      : blob.append(head + channels.flatMap(\.integers), packed)
    append(
      n, fitsDSP ? .convolveDepthwiseDSP : .convolveDepthwise,
      [.record(record), .value(value(n.input(0)))],
      scratch: filter[1] * filter[2] * image[3],
      leads: [outputs == image[3] ? order.lead(readsPixelFirst: false) : nil])
  }

  private mutating func lowerFullyConnected(
    _ n: Node, _ o: FullyConnectedOptions
  ) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    let filter = shape(n.input(1))
    guard filter.rank == 2, o.weightsFormat == .normal, filter[1] > 0 else {
      return note("\(n.name) of shuffled weights")
    }
    let (units, depth) = (filter[0], filter[1])
    let rows = shape(n.input(0)).elementCount / depth
    try expect(n, rows, units)
    let weights = try weights(n, channels: units, axis: 0)
    let range = range(o.activation, y)
    var channels: [Int32] = []
    for unit in 0..<units {
      let sum = weights.values[unit * depth..<(unit + 1) * depth].reduce(0 as Int32) { $0 &+ $1 }
      let factor = Double(x.scale) * Double(weights.scales[unit]) / Double(y.scale)
      let reach = Int(y.zero) + 1
      guard let scaling = SingleRounding(factor, results: (0 - reach)...256 - Int(y.zero)) else {
        throw .inconsistent(node: n.index, reason: "the scale of unit \(unit) is out of range")
      }
      channels += [weights.bias[unit] &- x.zero &* sum, scaling.multiplier, scaling.shift]
    }
    guard let packed = weights.packed else { return note("\(n.name) of uint8 weights of 9 bits") }
    let record = blob.append(
      [Int32(rows), Int32(depth), Int32(units), y.zero, range.lowerBound, range.upperBound]
        + channels, packed)
    append(n, .connect, [.record(record), .value(value(n.input(0)))], leads: [nil])
  }

  private mutating func lowerPool(
    _ n: Node, _ o: Pool2DOptions, isAverage: Bool
  ) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    let image = shape(n.input(0))
    guard image.rank == 4, image[0] == 1 else { return note("\(n.name) of several images") }
    guard x.map.zeroPoint == y.map.zeroPoint else {
      throw .inconsistent(node: n.index, reason: "input and output differ in their zero points")
    }
    let window = try window(
      n, image, (o.filterHeight, o.filterWidth), o.padding, (o.strideHeight, o.strideWidth), (1, 1))
    try expect(n, window.rows.output, window.columns.output, image[3])
    let record = blob.append(
      record(window, image[3], image[3], x.zero, y.zero, range(o.activation, y)))
    let order = order(window, image[3], image[3])
    append(
      n, isAverage ? .averagePool : .maxPool,
      [.record(record), .value(value(n.input(0)))],
      tail: isAverage ? [.number("zero", Int(x.offset))] : [],
      leads: [order.lead(readsPixelFirst: false)])
  }

  private mutating func lowerMean(_ n: Node) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    let image = shape(n.input(0))
    let axes = Set(try integers(n, 1).map { Int($0 < 0 ? $0 + Int32(image.rank) : $0) })
    guard image.rank == 4, image[0] == 1, axes == [1, 2] else {
      return note("\(n.name) along other axes than height and width")
    }
    try expect(n, image[3])
    let count = image[1] * image[2]
    let mean = QuantizedMean(
      of: count, input: x.map, output: y.map, range: Int32.min...Int32.max)
    let factor = mean.requantizer.multipliers[0]
    let record = blob.append([
      Int32(count), Int32(image[3]), 0 &- x.zero &* Int32(count), factor.mantissa,
      0 - factor.shift, y.zero, 0, 255,
    ])
    append(n, .mean, [.record(record), .value(value(n.input(0)))], leads: [0])
  }

  private mutating func lowerAdd(_ n: Node, _ activation: Activation) throws(CompileError) {
    guard let a = bytes(n, n.input(0)), let b = bytes(n, n.input(1)), let y = bytes(n, n.output)
    else { return }
    guard shape(n.input(0)) == shape(n.input(1)), valueOfTensor[n.input(1)] != nil else {
      return note("\(n.name) of different shapes or with a constant")
    }
    try expect(n, shape(n.input(0)).elementCount)
    let range = range(activation, y)
    let sum = QuantizedSum(.sum, a.map, b.map, to: y.map, extraBits: 20, range: 0...0)
    let record = blob.append([
      a.zero, b.zero, y.zero, sum.scaleA.mantissa, 0 - sum.scaleA.shift, sum.scaleB.mantissa,
      0 - sum.scaleB.shift, sum.scaleY.mantissa, 0 - sum.scaleY.shift, range.lowerBound,
      range.upperBound,
    ])
    append(
      n, .add, [.record(record), .value(value(n.input(0))), .value(value(n.input(1)))],
      tail: [.number("count", shape(n.output).elementCount)], leads: [0, 0])
  }

  private mutating func lowerQuantize(_ n: Node) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    let factor = FixedPointMultiplier(Double(x.scale) / Double(y.scale))
    try lookUp(
      n,
      (0..<256).map { stored in
        let value = factor(Int32(stored) &- x.zero) &+ y.zero
        return UInt8(truncatingIfNeeded: min(max(value, 0), 255))
      })
  }

  /// A function of real numbers as a table.
  private mutating func lowerFunction(
    _ n: Node, _ function: (Float) -> Float
  ) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    let inverse = 1 / y.scale
    try lookUp(
      n,
      (0..<256).map { stored in
        let result = function(x.scale * Float(Int32(stored) &- x.zero))
        let steps = VectorMath.round(result * inverse) + Float(y.zero)
        return UInt8(steps > 0 ? min(steps, 255) : 0)
      })
  }

  private mutating func lookUp(_ n: Node, _ table: [UInt8]) throws(CompileError) {
    try expect(n, shape(n.input(0)).elementCount)
    guard table.indices.contains(where: { Int(table[$0]) != $0 }) else { return try alias(n) }
    let record = blob.append([], table)
    append(
      n, .lookUp, [.record(record), .value(value(n.input(0)))],
      tail: [.number("count", shape(n.output).elementCount)], leads: [0])
  }

  private mutating func lowerSoftmax(_ n: Node, _ o: SoftmaxOptions) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output) else { return }
    let steps = Double(o.beta) * Double(x.scale)
    guard steps > 0, steps.isFinite, y.scale == 1 / 256, y.zero == 0 else {
      throw .quantization(node: n.index, operand: 0)
    }
    try expect(n, shape(n.input(0)).elementCount)
    let shape = shape(n.output)
    guard let depth = shape.dimensions.last, depth > 0 else { return try alias(n) }
    let record = blob.append(ByteSoftmax(steps: steps).exponentials)
    append(
      n, .softmax, [.record(record), .value(value(n.input(0)))],
      tail: [.number("rows", shape.elementCount / depth), .number("depth", depth)], leads: [0])
  }

  private mutating func lowerResize(_ n: Node, _ o: ResizeOptions) throws(CompileError) {
    guard bytes(n, n.input(0)) != nil, bytes(n, n.output) != nil else { return }
    let image = shape(n.input(0))
    let size = try integers(n, 1).map { Int($0) }
    guard image.rank == 4, image[0] == 1, size.count == 2, size.allSatisfy({ $0 > 0 }) else {
      return note("\(n.name) of several images")
    }
    guard image[1] > 0, image[2] > 0 else { return note("\(n.name) of an empty image") }
    try expect(n, size[0], size[1], image[3])
    let axes = (0..<2).map { axis in
      let map = ResizeAxis(
        input: image[axis + 1], output: size[axis], alignsCorners: o.alignCorners,
        usesCenters: o.halfPixelCenters)
      return (0..<size[axis]).map { map.nearest(to: $0) }
    }
    let extents = [
      image[1], image[2], image[3], 1, 1, 1, 1, 1, 1, 0, 0, size[0], size[1], image[3],
    ]
    let record = blob.append(
      (extents + [0, 0, 0, 0] + axes[0] + axes[1]).map { Int32($0) })
    var lead = 0
    var later = Int.max / 2
    for (y, row) in axes[0].enumerated().reversed() {
      for (x, column) in axes[1].enumerated().reversed() {
        let pixel = y * size[1] + x
        let source = (row * image[2] + column) * image[3]
        lead = max(lead, (pixel + 1) * image[3] - later, pixel * image[3] - source)
        later = min(later, source)
      }
    }
    append(n, .resizeNearest, [.record(record), .value(value(n.input(0)))], leads: [lead])
  }

  /// Gives the output the input's memory.
  private mutating func alias(_ n: Node) throws(CompileError) {
    try expect(n, shape(n.input(0)).elementCount)
    guard let value = valueOfTensor[n.input(0)] else {
      // The operator that computes the input is noted already.
      let isConstant = !model.buffers[graph.tensors[n.input(0)].buffer].isEmpty
      return isConstant ? note("\(n.name) of a constant") : ()
    }
    valueOfTensor[n.output] = value
  }

  // MARK: - Records

  private func record(
    _ window: SlidingWindow, _ depth: Int, _ outputs: Int, _ inputZero: Int32, _ outputZero: Int32,
    _ range: ClosedRange<Int32>
  ) -> [Int32] {
    let (rows, columns) = (window.rows, window.columns)
    return [
      rows.input, columns.input, depth, rows.filter, columns.filter, rows.stride, columns.stride,
      rows.dilation, columns.dilation, rows.border, columns.border, rows.output, columns.output,
      outputs,
    ].map { Int32($0) } + [inputZero, outputZero, range.lowerBound, range.upperBound]
  }

  private func order(_ window: SlidingWindow, _ depth: Int, _ outputs: Int) -> WindowOrder {
    WindowOrder(
      inputWidth: window.columns.input, depth: depth, outputHeight: window.rows.output,
      outputWidth: window.columns.output, outputDepth: outputs, strideY: window.rows.stride,
      strideX: window.columns.stride, top: window.rows.border, left: window.columns.border)
  }

  /// Throws unless the output has as many elements as the operator computes.
  private func expect(_ n: Node, _ extents: Int...) throws(CompileError) {
    var count = 1
    for extent in extents {
      let (product, overflow) = count.multipliedReportingOverflow(by: extent)
      count = overflow ? Int.max : product
      if overflow { break }
    }
    let found = shape(n.output).elementCount
    guard found == count else {
      throw .inconsistent(
        node: n.index, reason: "the output has \(found) elements, \(count) expected")
    }
  }

  private mutating func append(
    _ n: Node, _ kernel: Kernel, _ head: [Layer.Part], scratch: Int = 0,
    tail: [Layer.Part] = [], leads: [Int?]
  ) {
    var inputs = leads.indices.map { value(n.input($0)) }
    var tail = tail
    if scratch > 0 {
      let value = add(Value(byteCount: scratch, place: .arena))
      inputs.append(value)
      tail += [.label("scratch"), .value(value)]
    }
    let output = add(Value(byteCount: shape(n.output).elementCount, place: .arena))
    valueOfTensor[n.output] = output
    layers.append(
      Layer(
        comment: "\(n.name) \(describe(n.input(0))) -> \(describe(n.output))", kernel: kernel,
        arguments: head + tail + [.label("to"), .value(output)], inputs: inputs, output: output,
        leads: leads))
  }

  // MARK: - Tensors

  private mutating func add(_ value: Value) -> Int {
    values.append(value)
    return values.count - 1
  }

  private func value(_ tensor: Int) -> Int { valueOfTensor[tensor] ?? 0 }

  private func shape(_ tensor: Int) -> Shape { graph.tensors[tensor].shape }

  private func describe(_ tensor: Int) -> String {
    "\(graph.tensors[tensor].name) \(shape(tensor))"
  }

  /// Notes what there is no kernel for.
  private mutating func note(_ name: String) {
    if !unsupported.contains(name) { unsupported.append(name) }
  }

  /// The map of a byte tensor, or `nil` after noting why there is none.
  private mutating func bytes(_ n: Node, _ tensor: Int) -> Bytes? {
    guard tensor >= 0 else { return nil }
    let description = graph.tensors[tensor]
    guard description.type == .int8 || description.type == .uint8,
      let map = description.quantization, map.isPerTensor, map.scale > 0, map.scale.isFinite
    else {
      note("\(n.name) of \(description.type)")
      return nil
    }
    return Bytes(map: map, isSigned: description.type == .int8)
  }

  private func range(_ activation: Activation, _ y: Bytes) -> ClosedRange<Int32> {
    let real =
      activation.realRange ?? -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude
    let range =
      y.isSigned
      ? y.map.integers(in: real, as: Int8.self) : y.map.integers(in: real, as: UInt8.self)
    return range.lowerBound + y.offset...range.upperBound + y.offset
  }

  private func window(
    _ n: Node, _ image: Shape, _ filter: (height: Int, width: Int), _ padding: Padding,
    _ strides: (height: Int, width: Int), _ dilations: (height: Int, width: Int)
  ) throws(CompileError) -> SlidingWindow {
    let isSame = padding == .same
    guard
      let rows = WindowAxis(
        input: image[1], filter: filter.height, stride: strides.height,
        dilation: dilations.height, isSame: isSame),
      let columns = WindowAxis(
        input: image[2], filter: filter.width, stride: strides.width, dilation: dilations.width,
        isSame: isSame)
    else { throw .inconsistent(node: n.index, reason: "the window does not fit the image") }
    return SlidingWindow(batches: 1, rows: rows, columns: columns)
  }

  // MARK: - Constants

  private struct Weights {
    /// The weights less their zero point.
    private(set) var values: [Int32]
    let scales: [Float]
    let bias: [Int32]

    /// Exchanges rows and columns.
    mutating func transpose(rows: Int, columns: Int) {
      let before = values
      for row in 0..<rows {
        for column in 0..<columns {
          values[column * rows + row] = before[row * columns + column]
        }
      }
    }

    /// The weights as signed bytes, or `nil` if one needs more bits.
    var packed: [UInt8]? {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(values.count)
      for value in values {
        guard let byte = Int8(exactly: value) else { return nil }
        bytes.append(UInt8(bitPattern: byte))
      }
      return bytes
    }
  }

  private func constant(_ n: Node, _ operand: Int) throws(CompileError) -> Range<Int> {
    let tensor = n.input(operand)
    guard tensor >= 0 else { throw .notConstant(node: n.index, operand: operand) }
    let range = model.buffers[graph.tensors[tensor].buffer]
    guard !range.isEmpty else { throw .notConstant(node: n.index, operand: operand) }
    return range
  }

  private func integers(_ n: Node, _ operand: Int) throws(CompileError) -> [Int32] {
    guard n.input(operand) >= 0, graph.tensors[n.input(operand)].type == .int32 else {
      throw .unsupported(["\(n.name) whose input \(operand) is not int32"])
    }
    let range = try constant(n, operand)
    return stride(from: range.lowerBound, to: range.upperBound - 3, by: 4).map { integer(at: $0) }
  }

  private func integer(at offset: Int) -> Int32 {
    var value: UInt32 = 0
    for i in 0..<4 { value |= UInt32(model.bytes[offset + i]) << UInt32(8 * i) }
    return Int32(bitPattern: value)
  }

  private func weights(
    _ n: Node, channels: Int, axis: Int
  ) throws(CompileError) -> Weights {
    let tensor = graph.tensors[n.input(1)]
    guard let map = tensor.quantization,
      map.isPerTensor || (map.scales.count == channels && map.axis == axis)
    else { throw .quantization(node: n.index, operand: 1) }
    let range = try constant(n, 1)
    let count = tensor.shape.elementCount
    guard tensor.type == .int8 || tensor.type == .uint8, range.count >= count else {
      throw .unsupported(["\(n.name) with weights of \(tensor.type)"])
    }
    let zero = map.isPerTensor ? Int32(truncatingIfNeeded: map.zeroPoint) : 0
    let values = (0..<count).map { index in
      let byte = model.bytes[range.lowerBound + index]
      return (tensor.type == .int8 ? Int32(Int8(bitPattern: byte)) : Int32(byte)) &- zero
    }
    var bias = [Int32](repeating: 0, count: channels)
    if n.input(2) >= 0 {
      let stored = try integers(n, 2)
      guard stored.count >= channels else {
        throw .inconsistent(node: n.index, reason: "the bias has \(stored.count) elements")
      }
      bias = Array(stored.prefix(channels))
    }
    return Weights(
      values: values,
      scales: map.isPerTensor ? [Float](repeating: map.scale, count: channels) : map.scales,
      bias: bias)
  }
}
