//===--- Lowering.swift - operators to layers -----------------------------===//
//
// Each operator of the graph becomes a call of a kernel with a record, or nothing: a reshape, and a
// change between signed and unsigned bytes of the same meaning.
//
// Contract  The interpreter has prepared the model, which checks operands, options and shapes; the
//           shapes are those that it found. What else the model says is checked before it is used.
//           Activations are unsigned bytes; those of int8 tensors have 128 added. Zero points are
//           folded into biases.
// Cost      Time and memory in proportion to the size of the file.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletInference
import MartletModel
import MartletReference

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
    /// What its bytes are before the first run, if it keeps them between runs.
    var initialByte: UInt8?
    var isState: Bool { initialByte != nil }
  }

  let model: Model
  let graph: Subgraph
  let target: CompileTarget
  /// The shape of each tensor, and whether it is a constant.
  private let shapes: [Shape]
  private let constants: [Bool]
  var layers: [Layer] = []
  var values: [Value] = []
  var blob: WeightsBlob
  /// The offsets of constant operands, by tensor.
  var offsetOfConstant: [Int: Int] = [:]
  /// The value of each tensor that has one.
  var valueOfTensor: [Int: Int] = [:]
  /// The constants of halves that DEQUANTIZE turns into constants of floats, by their results.
  var halves: [Int: Int] = [:]
  /// What there is no kernel for, each once.
  private var unsupported: [String] = []
  private var isNoted: Set<String> = []

  init(
    _ model: Model, _ prepared: PreparedModel, for target: CompileTarget
  ) throws(CompileError) {
    guard let graph = model.subgraphs.first, !graph.inputs.isEmpty, !graph.outputs.isEmpty else {
      throw .empty
    }
    self.model = model
    self.target = target
    self.graph = graph
    shapes = prepared.shapes
    constants = prepared.constants
    blob = WeightsBlob(limit: WeightsBlob.limit(fileSize: model.bytes.count))
    for tensor in graph.tensors where tensor.shapeSignature.contains(where: { $0 < 0 }) {
      // A variable number of images is one image.
      guard !tensor.shapeSignature.dropFirst().contains(where: { $0 < 0 }) else {
        throw .dynamicShape(tensor: tensor.name)
      }
    }
    for (tensor, shape) in zip(graph.tensors, shapes)
    where shape.elementCount > Lowering.elementLimit {
      throw .tooLarge(tensor: tensor.name, limit: Lowering.elementLimit)
    }
    try takeInputs()
    // What follows an unsupported operator may fail for that reason alone.
    var failure: CompileError?
    for (node, operation) in graph.operators.enumerated() {
      do throws(CompileError) {
        try lower(operation, node)
      } catch {
        failure = failure ?? error
      }
      guard !blob.isFull else { throw .tooManyWeights(limit: blob.limit) }
      // So that the operators after an unsupported one are named, too.
      for output in operation.outputs
      where output >= 0 && valueOfTensor[output] == nil && halves[output] == nil {
        valueOfTensor[output] = add(Value(byteCount: 0, place: .arena))
      }
    }
    guard unsupported.isEmpty else { throw .unsupported(unsupported) }
    if let node = prepared.firstOpenNode {
      let output = graph.operators[node].outputs.first.map { graph.tensors[$0].name }
      throw .dynamicShape(tensor: output ?? graph.operators[node].code.name)
    }
    if let failure { throw failure }
    try placeOutputs()
  }

  /// The most elements of a tensor.
  private static let elementLimit = 1 << 26

  func shape(_ tensor: Int) -> Shape { shapes[tensor] }

  /// Whether the file has a tensor's elements, for each run the same.
  func isConstant(_ tensor: Int) -> Bool {
    let description = graph.tensors[tensor]
    return constants[tensor] && !model.buffers[description.buffer].isEmpty
      && description.sparsity == nil
  }

  /// Notes what there is no kernel for.
  mutating func note(_ name: String) {
    if isNoted.insert(name).inserted { unsupported.append(name) }
  }

  /// Memory that keeps its bytes between runs.
  struct State {
    let offset, byteCount: Int
    /// What all its bytes are before the first run.
    let byte: UInt8
  }

  // MARK: - Inputs and outputs

  mutating func takeInputs() throws(CompileError) {
    for (index, tensor) in graph.inputs.enumerated() {
      guard valueOfTensor[tensor] == nil else {
        throw .unsupported(["an input that is listed twice"])
      }
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
    case .conv2D, .depthwiseConv2D, .fullyConnected, .mean, .add, .sub, .mul, .pad, .prelu,
      .resizeNearestNeighbor, .transpose:
      needed = 2
    case .svdf, .slice: needed = 3
    case .stridedSlice: needed = 4
    case .concatenation: needed = operation.inputs.count
    default: needed = 1
    }
    guard needed > 0, operation.inputs.count >= needed,
      operation.inputs.prefix(needed).allSatisfy({ $0 >= 0 }),
      let output = operation.outputs.first, output >= 0
    else { throw .inconsistent(node: node, reason: "an input or the output is missing") }
    guard shape(n.input(0)).elementCount > 0, shape(output).elementCount > 0 else {
      return note("\(n.name) of tensors without elements")
    }
    switch (code, operation.options) {
    case (.reshape, _), (.squeeze, _), (.expandDims, _): try alias(n)
    case (.concatenation, .concatenation(let o)): try lowerConcatenation(n, o)
    case (.pad, _): try lowerPad(n)
    case (.transpose, _): try lowerTranspose(n)
    case (.slice, _): try lowerSlice(n)
    case (.stridedSlice, .stridedSlice(let o)): try lowerStridedSlice(n, o)
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
    case (.relu, _): try lowerClamp(n, to: 0...Float.infinity)
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
}
