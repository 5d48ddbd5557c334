import MartletBase

@testable import MartletInference
@testable import MartletModel

/// Builds a model tensor by tensor.
struct TestModel {
  private var bytes: [UInt8] = []
  private var buffers: [Range<Int>] = [0..<0]
  private var tensors: [TensorDescription] = []
  private var operators: [Operator] = []
  var inputs: [Int] = []
  var outputs: [Int] = []

  /// Adds a computed tensor or an input.
  mutating func tensor(
    _ type: ElementType, _ shape: [Int], quantization: Quantization? = nil,
    isVariable: Bool = false
  ) -> Int {
    add(type, shape, quantization, buffer: 0, isVariable: isVariable)
  }

  /// Adds a constant.
  mutating func constant<T: Element>(
    _ values: [T], _ shape: [Int], type: ElementType? = nil, quantization: Quantization? = nil,
    misalignedBy offset: Int = 0
  ) -> Int {
    while bytes.count % 16 != offset { bytes.append(0) }
    let start = bytes.count
    for value in values { withUnsafeBytes(of: value) { bytes += $0 } }
    buffers.append(start..<bytes.count)
    return add(
      type ?? T.elementType, shape, quantization, buffer: buffers.count - 1, isVariable: false)
  }

  private mutating func add(
    _ type: ElementType, _ shape: [Int], _ quantization: Quantization?, buffer: Int,
    isVariable: Bool
  ) -> Int {
    tensors.append(
      TensorDescription(
        name: "t\(tensors.count)", type: type, shape: Shape(shape), shapeSignature: [],
        buffer: buffer, quantization: quantization, details: nil, isVariable: isVariable,
        sparsity: nil, hasRank: true))
    return tensors.count - 1
  }

  /// Adds an operator.
  mutating func add(
    _ builtin: BuiltinOperator, _ inputs: [Int], _ outputs: [Int],
    options: OperatorOptions = .none, version: Int = 1
  ) {
    operators.append(
      Operator(
        code: .builtin(builtin), version: version, inputs: inputs, outputs: outputs,
        options: options))
  }

  /// Adds a custom operator without options.
  mutating func add(custom name: String, _ inputs: [Int], _ outputs: [Int]) {
    operators.append(Operator(code: .custom(name), inputs: inputs, outputs: outputs))
  }

  var model: Model {
    Model(
      bytes: FileBytes(bytes), version: 3, description: "",
      subgraphs: [
        Subgraph(
          name: "main", tensors: tensors, inputs: inputs, outputs: outputs, operators: operators)
      ],
      buffers: buffers, metadata: [], signatures: [])
  }

  /// A model with these subgraphs; operators refer to them by index.
  static func joined(_ graphs: [TestModel], signatures: [Signature] = []) -> Model {
    var bytes: [UInt8] = []
    var buffers: [Range<Int>] = []
    var subgraphs: [Subgraph] = []
    for graph in graphs {
      while bytes.count % 16 != 0 { bytes.append(0) }
      let start = bytes.count
      let first = buffers.count
      bytes += graph.bytes
      buffers += graph.buffers.map {
        $0.isEmpty ? 0..<0 : $0.lowerBound + start..<$0.upperBound + start
      }
      let tensors = graph.tensors.map { tensor in
        TensorDescription(
          name: tensor.name, type: tensor.type, shape: tensor.shape, shapeSignature: [],
          buffer: tensor.buffer + first, quantization: tensor.quantization, details: nil,
          isVariable: tensor.isVariable, sparsity: nil, hasRank: true)
      }
      subgraphs.append(
        Subgraph(
          name: "", tensors: tensors, inputs: graph.inputs, outputs: graph.outputs,
          operators: graph.operators))
    }
    return Model(
      bytes: FileBytes(bytes), version: 3, description: "", subgraphs: subgraphs, buffers: buffers,
      metadata: [], signatures: signatures)
  }

  /// An interpreter for the model.
  func interpreter(
    _ kernels: KernelSet = .reference, workers: Workers = .serial,
    memoryLimit: Int = Interpreter.Options.defaultMemoryLimit
  ) throws(InferenceError) -> Interpreter {
    try Interpreter(
      model: model,
      options: .init(kernels: kernels, workers: workers, memoryLimit: memoryLimit))
  }
}

extension Interpreter {
  /// Runs once and returns the first output's elements.
  func run<T: Element>(_ inputs: [[T]]) throws -> [T] {
    for (index, values) in inputs.enumerated() {
      try setInput(index, to: values.withUnsafeBytes { [UInt8]($0) })
    }
    try invoke()
    return try withOutput(0) { [T]($0.bindMemory(to: T.self)) }
  }
}
