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
    /// Whether it keeps its bytes between runs.
    var isState = false
  }

  let model: Model
  let graph: Subgraph
  let target: CompileTarget
  private(set) var layers: [Layer] = []
  private(set) var values: [Value] = []
  var blob = WeightsBlob()
  /// The value of each tensor that has one.
  var valueOfTensor: [Int: Int] = [:]
  var unsupported: [String] = []

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
    for (node, operation) in graph.operators.enumerated() {
      try lower(operation, node)
      // So that the operators after an unsupported one are named, too.
      for output in operation.outputs where output >= 0 && valueOfTensor[output] == nil {
        valueOfTensor[output] = add(Value(byteCount: 0, place: .arena))
      }
    }
    guard unsupported.isEmpty else { throw .unsupported(unsupported) }
    try placeOutputs()
  }

  /// The most elements of a tensor.
  private static let elementLimit = 1 << 26

  // MARK: - Inputs and outputs

  mutating func takeInputs() throws(CompileError) {
    for (index, tensor) in graph.inputs.enumerated() {
      let count = byteCount(tensor)
      let input = add(Value(byteCount: count, place: .input(index)))
      switch graph.tensors[tensor].type {
      case .uint8, .float32, .int16: valueOfTensor[tensor] = input
      case .int8:
        let value = add(Value(byteCount: count, place: .arena))
        valueOfTensor[tensor] = value
        flipSigns(of: tensor, from: input, to: value, comment: "input")
      case let type:
        note("input of \(type)")
        valueOfTensor[tensor] = input
      }
    }
  }

  mutating func placeOutputs() throws(CompileError) {
    for (index, tensor) in graph.outputs.enumerated() {
      guard let value = valueOfTensor[tensor], values[value].place == .arena else {
        throw .unsupported(["an output that is an input, a constant or another output"])
      }
      values[value].place = .output(index)
      if graph.tensors[tensor].type == .int8 {
        flipSigns(of: tensor, from: value, to: value, comment: "output")
      }
    }
  }

  mutating func flipSigns(
    of tensor: Int, from input: Int, to output: Int, comment: String
  ) {
    layers.append(
      Layer(
        comment: "\(comment) \(describe(tensor))", kernel: .flipSigns,
        arguments: [
          .value(input), .number("count", shape(tensor).elementCount), .value(output, "to"),
        ], inputs: [input], output: output))
  }

  // MARK: - Operators

  mutating func lower(_ operation: Operator, _ node: Int) throws(CompileError) {
    guard case .builtin(let code) = operation.code else {
      note(operation.code.name)
      return
    }
    let n = Node(operation, node, code.description)
    let needed: Int
    switch code {
    case .conv2D, .depthwiseConv2D, .fullyConnected, .mean, .add, .sub, .mul, .pad,
      .resizeNearestNeighbor:
      needed = 2
    case .svdf: needed = 3
    case .concatenation: needed = operation.inputs.count
    default: needed = 1
    }
    guard needed > 0, operation.inputs.count >= needed,
      operation.inputs.prefix(needed).allSatisfy({ $0 >= 0 }),
      let output = operation.outputs.first, output >= 0
    else { throw .inconsistent(node: node, reason: "an input or the output is missing") }
    switch (code, operation.options) {
    case (.reshape, _), (.squeeze, _), (.expandDims, _): try alias(n)
    case (.concatenation, .concatenation(let o)): try lowerConcatenation(n, o)
    case (.pad, _): try lowerPad(n)
    case (.quantize, _): try lowerQuantize(n)
    case (.dequantize, _): try lowerDequantize(n)
    default:
      switch graph.tensors[n.input(0)].type {
      case .float32: try lowerFloats(n, code, operation.options)
      case .int16: try lowerShorts(n, code, operation.options)
      default: try lowerBytes(n, code, operation.options)
      }
    }
  }

  /// Lowers an operator whose first operand has bytes.
  mutating func lowerBytes(
    _ n: Node, _ code: BuiltinOperator, _ options: OperatorOptions
  ) throws(CompileError) {
    switch (code, options) {
    case (.conv2D, .conv2D(let o)): try lowerConvolution(n, WindowOptions(o))
    case (.depthwiseConv2D, .depthwiseConv2D(let o)): try lowerDepthwise(n, WindowOptions(o))
    case (.fullyConnected, .fullyConnected(let o)): try lowerFullyConnected(n, o)
    case (.averagePool2D, .pool2D(let o)): try lowerPool(n, o, isAverage: true)
    case (.maxPool2D, .pool2D(let o)): try lowerPool(n, o, isAverage: false)
    case (.mean, .reducer): try lowerMean(n)
    case (.add, .add(let o)): try lowerSum(n, .sum, o.activation)
    case (.sub, .sub(let o)): try lowerSum(n, .difference, o.activation)
    case (.mul, .mul(let o)): try lowerProduct(n, o.activation)
    case (.logistic, _):
      try lowerFunction(n) { 1 / (1 + Float(VectorMath.exp(Double(-$0)))) }
    case (.tanh, _): try lowerFunction(n) { Float(VectorMath.tanh(Double($0))) }
    case (.relu, _): try lowerClamp(n, to: 0...Float.greatestFiniteMagnitude)
    case (.relu6, _): try lowerClamp(n, to: 0...6)
    case (.reluN1To1, _): try lowerClamp(n, to: -1...1)
    case (.leakyRelu, .leakyRelu(let o)): try lowerLeakyRelu(n, o)
    case (.hardSwish, _): try lowerHardSwish(n)
    case (.softmax, .softmax(let o)): try lowerSoftmax(n, o)
    case (.resizeNearestNeighbor, .resizeNearestNeighbor(let o)): try lowerResize(n, o)
    case (.svdf, .svdf(let o)): try lowerSVDF(n, o)
    default: note(code.description)
    }
  }

  struct Node {
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

  /// A byte tensor in its unsigned form.
  struct Bytes {
    let map: Quantization
    let isSigned: Bool
    var scale: Float { map.scale }
    /// The zero point in the unsigned form.
    var zero: Int32 { Int32(truncatingIfNeeded: map.zeroPoint) &+ offset }
    /// What the unsigned form adds.
    var offset: Int32 { isSigned ? 128 : 0 }
  }

  // MARK: - Records

  func record(
    _ window: SlidingWindow, _ depth: Int, _ outputs: Int, _ inputZero: Int32, _ outputZero: Int32,
    _ range: ClosedRange<Int32>
  ) -> [Int32] {
    record(
      window, depth, outputs, inputZero, outputZero,
      (low: range.lowerBound, high: range.upperBound))
  }

  func record(
    _ window: SlidingWindow, _ depth: Int, _ outputs: Int, _ inputZero: Int32, _ outputZero: Int32,
    _ range: (low: Int32, high: Int32)
  ) -> [Int32] {
    let (rows, columns) = (window.rows, window.columns)
    return [
      rows.input, columns.input, depth, rows.filter, columns.filter, rows.stride, columns.stride,
      rows.dilation, columns.dilation, rows.border, columns.border, rows.output, columns.output,
      outputs,
    ].map { Int32($0) } + [inputZero, outputZero, range.low, range.high]
  }

  /// Throws unless the output has as many elements as the operator computes.
  func expect(_ n: Node, _ extents: Int...) throws(CompileError) {
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

  /// Appends the layer that computes a node's output.
  mutating func append(
    _ n: Node, _ kernel: Kernel, _ head: [Layer.Part], scratch: Int = 0,
    tail: [Layer.Part] = [], leads: [Int?]
  ) {
    guard leads.indices.allSatisfy({ hasValue(n, $0) }) else { return }
    append(
      n, kernel, head, scratch: scratch, tail: tail,
      reading: leads.indices.map { .value(value(n.input($0))) }, leads: leads, into: newOutput(n))
  }

  /// Appends a layer that reads some operands, each with the lead of the output.
  mutating func append(
    _ n: Node, _ kernel: Kernel, _ head: [Layer.Part], scratch: Int = 0, tail: [Layer.Part] = [],
    reading operands: [Layer.Part], leads: [Int?], into output: Int
  ) {
    var read: [(value: Int, lead: Int?)] = []
    for (operand, lead) in zip(operands, leads) {
      if case .value(let value, _) = operand { read.append((value, lead)) }
    }
    var tail = tail
    if scratch > 0 {
      let value = add(Value(byteCount: scratch, place: .arena))
      read.append((value, nil))
      tail.append(.value(value, "scratch"))
    }
    layers.append(
      Layer(
        comment: "\(n.name) \(shape(n.input(0))) -> \(describe(n.output))", kernel: kernel,
        arguments: head + tail + [.value(output, "to")], inputs: read.map(\.value), output: output,
        leads: read.map(\.lead)))
  }

  /// A new value for a node's output.
  mutating func newOutput(_ n: Node) -> Int {
    let output = add(Value(byteCount: byteCount(n.output), place: .arena))
    valueOfTensor[n.output] = output
    return output
  }

  /// The offsets in the arena and the bytes of what the model keeps between runs.
  func states(at offsets: [Int: Int]) -> [(offset: Int, byteCount: Int)] {
    values.indices.filter { values[$0].isState }
      .map { (offsets[$0, default: 0], values[$0].byteCount) }
  }

  // MARK: - Tensors

  mutating func add(_ value: Value) -> Int {
    values.append(value)
    return values.count - 1
  }

  /// Whether a layer computes an operand, or it may be a constant and is one; notes it otherwise.
  mutating func hasValue(_ n: Node, _ operand: Int, orConstant: Bool = false) -> Bool {
    let tensor = n.input(operand)
    guard valueOfTensor[tensor] == nil else { return true }
    if orConstant, !model.buffers[graph.tensors[tensor].buffer].isEmpty,
      graph.tensors[tensor].sparsity == nil
    {
      return true
    }
    note("\(n.name) whose input \(operand) is a constant")
    return false
  }

  /// An operand that is computed or a constant.
  mutating func operand(_ n: Node, _ operand: Int) -> Layer.Part {
    let tensor = n.input(operand)
    if let value = valueOfTensor[tensor] { return .value(value) }
    let start = model.buffers[graph.tensors[tensor].buffer].lowerBound
    let flip: UInt8 = graph.tensors[tensor].type == .int8 ? 0x80 : 0
    return .constant(
      blob.append([], (0..<byteCount(tensor)).map { model.bytes[start + $0] ^ flip }))
  }

  /// The operands of an elementwise layer, the one of the output's shape first.
  struct Pair {
    let first, second: Int
    /// The number of elements after which the second one repeats.
    let period: Int
  }

  /// The operands of an elementwise layer, or `nil` after noting why there is no kernel.
  mutating func pair(_ n: Node, isCommutative: Bool) throws(CompileError) -> Pair? {
    guard hasValue(n, 0, orConstant: true), hasValue(n, 1, orConstant: true) else { return nil }
    let types = [n.input(0), n.input(1), n.output].map { graph.tensors[$0].type }
    let count = shape(n.output).elementCount
    guard types.allSatisfy({ $0 == types[0] }), let a = period(n, 0), let b = period(n, 1),
      max(a, b) == count, a == count || isCommutative
    else {
      note("\(n.name) of such shapes or types")
      return nil
    }
    return a == count
      ? Pair(first: 0, second: 1, period: b) : Pair(first: 1, second: 0, period: a)
  }

  /// The number of elements after which an operand repeats in the output, or `nil` if its extents
  /// do not end the output's.
  private func period(_ n: Node, _ operand: Int) -> Int? {
    let extents = shape(n.input(operand)).dimensions.drop { $0 == 1 }
    return shape(n.output).dimensions.suffix(extents.count).elementsEqual(extents)
      ? shape(n.input(operand)).elementCount : nil
  }

  /// Appends an elementwise layer of two operands.
  mutating func append(_ n: Node, _ kernel: Kernel, _ pair: Pair, _ record: Int) {
    let count = shape(n.output).elementCount
    let operands = [operand(n, pair.first), operand(n, pair.second)]
    append(
      n, kernel, [.record(record)] + operands, tail: [.number("count", count)], reading: operands,
      leads: [0, pair.period == count ? 0 : nil], into: newOutput(n))
  }

  /// The value of a tensor that has one.
  func value(_ tensor: Int) -> Int { valueOfTensor[tensor, default: 0] }

  func byteCount(_ tensor: Int) -> Int {
    shape(tensor).elementCount * graph.tensors[tensor].type.bitWidth / 8
  }

  func shape(_ tensor: Int) -> Shape { graph.tensors[tensor].shape }

  /// The shape of a tensor and the last part of its name.
  func describe(_ tensor: Int) -> String {
    // Names of fused operators are joined by semicolons, the result's first.
    let name = graph.tensors[tensor].name.prefix { $0 != ";" }
    let parts = name.split { "/:".contains($0) || $0.isNewline }
    let last = parts.last { !$0.allSatisfy(\.isNumber) } ?? ""
    return last.isEmpty ? "\(shape(tensor))" : "\(shape(tensor)) \(last.prefix(40))"
  }

  /// Notes what there is no kernel for.
  mutating func note(_ name: String) {
    if !unsupported.contains(name) { unsupported.append(name) }
  }

  /// The map of a byte tensor, or `nil` after noting why there is none.
  mutating func bytes(_ n: Node, _ tensor: Int) -> Bytes? {
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

  /// The range of results, or `nil` after noting that the activation does more than clamp.
  mutating func range(
    _ n: Node, _ activation: Activation, _ y: Bytes
  ) -> ClosedRange<Int32>? {
    guard let real = activation.realRange else {
      note("\(n.name) with the activation \(activation)")
      return nil
    }
    return self.range(y, real)
  }

  /// The bytes of real numbers, in their unsigned form.
  func range(_ y: Bytes, _ real: ClosedRange<Float>) -> ClosedRange<Int32> {
    let range =
      y.isSigned
      ? y.map.integers(in: real, as: Int8.self) : y.map.integers(in: real, as: UInt8.self)
    return range.lowerBound + y.offset...range.upperBound + y.offset
  }

  func window(
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
}
