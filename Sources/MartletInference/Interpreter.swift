//===--- Interpreter.swift - running a model ------------------------------===//
//
// Prepares a model's graph once and runs it as often as asked. Everything that can fail or needs
// memory happens in preparation; `invoke` of a graph with fixed shapes does neither.
//
// Contract  The same model, options and inputs give the same bytes at every number of workers.
//           Not for use from several tasks at once; each can have an interpreter of its own.
// Cost      Weights stay where the model holds them, unless a kernel packs them.
// Checked   Tests/MartletInferenceTests/InterpreterTests.swift, `martlet conformance`
//===----------------------------------------------------------------------===//

@_exported public import MartletModel
public import MartletTensor

/// A model's input or output, as its caller sees it.
public struct InterfaceTensor: Sendable, Hashable {
  /// The name in the model's file.
  public let name: String
  /// The element type.
  public let type: ElementType
  /// The extents, outermost first; images are NHWC.
  public let shape: Shape
  /// How integers stand for reals, where they do.
  public let quantization: Quantization?

  package init(name: String, type: ElementType, shape: Shape, quantization: Quantization?) {
    self.name = name
    self.type = type
    self.shape = shape
    self.quantization = quantization
  }
}

/// Runs a TensorFlow Lite model.
public final class Interpreter {
  /// How a model is run.
  public struct Options: Sendable {
    /// Which kernels to use.
    public var kernels: KernelSet
    /// Who does the work.
    public var workers: Workers
    /// The most memory in bytes that tensors and scratch memory may take together, constants aside
    /// that are used as the file holds them or packed by a kernel.
    public var memoryLimit: Int
    /// Operators beside the package's own, and in place of its own where they serve the same code
    /// and version.
    public var operators: [Registration]

    /// The memory limit unless another is given: one gibibyte.
    public static let defaultMemoryLimit = 1 << 30

    /// Fast kernels on the calling thread alone, unless told otherwise.
    public init(
      kernels: KernelSet = .fast, workers: Workers = .serial,
      memoryLimit: Int = Options.defaultMemoryLimit, operators: [Registration] = []
    ) {
      self.kernels = kernels
      self.workers = workers
      self.memoryLimit = memoryLimit
      self.operators = operators
    }
  }

  private let model: Model
  private let options: Options
  private let registry: Registry
  private let graph: Graph
  private let constants: ConstantStore
  private let variables: Arena
  private var tensors: [TensorInfo]

  /// The builder as it stood when the first segment was done; later segments start from a copy.
  private(set) var builder: SegmentBuilder
  private(set) var first: Segment
  /// What the last run prepared in mid-run; holds the memory of its results.
  private var later: [Segment] = []
  /// The tensors' shapes and addresses after the last run.
  private var current: SegmentBuilder

  /// Prepares subgraph `subgraph` of `model`.
  ///
  /// Throws what `InferenceError` lists: an operator that is not there, tensors or options that do
  /// not fit, memory beyond the limit.
  ///
  /// - Complexity: One pass over the operators, plus packing of weights where a kernel does.
  public convenience init(
    model: Model, subgraph: Int = 0, options: Options = Options()
  ) throws(InferenceError) {
    try self.init(
      model: model, subgraph: subgraph, options: options,
      registry: .builtin.adding(options.operators))
  }

  package init(
    model: Model, subgraph: Int, options: Options, registry: Registry
  ) throws(InferenceError) {
    self.model = model
    self.options = options
    self.registry = registry
    var graph = try Graph(model, subgraph: subgraph)
    graph.fuseActivations()
    self.graph = graph
    constants = try ConstantStore(model, limit: options.memoryLimit)
    tensors = graph.tensors.enumerated().map { index, tensor in
      TensorInfo(
        index: index, type: tensor.type, shape: tensor.shape, quantization: tensor.quantization,
        isConstant: graph.isConstant[index])
    }
    variables = try Interpreter.variables(of: graph, limit: options.memoryLimit)
    (builder, first) = try Interpreter.prepare(
      graph: graph, registry: registry, options: options, tensors: tensors, model: model,
      constants: constants, variables: variables)
    current = builder
  }

  /// The model's inputs, in its order.
  public var inputs: [InterfaceTensor] { graph.inputs.map(interface) }

  /// The model's outputs, in its order. Shapes that the graph computes are those of the last run.
  public var outputs: [InterfaceTensor] { graph.outputs.map(interface) }

  private func interface(_ tensor: Int) -> InterfaceTensor {
    let info = current.preparation.tensors[tensor]
    return InterfaceTensor(
      name: graph.tensors[tensor].name, type: info.type, shape: info.shape,
      quantization: info.quantization)
  }

  /// Gives input `index` other extents and prepares the graph for them. All inputs' elements are
  /// zero afterwards.
  public func resizeInput(_ index: Int, to extents: [Int]) throws(InferenceError) {
    guard graph.inputs.indices.contains(index) else {
      throw .noSuchTensor(index: index, count: graph.inputs.count)
    }
    guard let shape = Shape(checking: extents) else {
      throw .invalidShape(index: index, found: extents)
    }
    let tensor = graph.inputs[index]
    var resized = tensors
    resized[tensor] = TensorInfo(
      index: tensor, type: resized[tensor].type, shape: shape,
      quantization: resized[tensor].quantization, isConstant: false)
    let prepared = try Interpreter.prepare(
      graph: graph, registry: registry, options: options, tensors: resized, model: model,
      constants: constants, variables: variables)
    tensors = resized
    (builder, first) = prepared
    current = builder
    later = []
  }

  /// Calls `body` with the memory of input `index`: little-endian elements, row-major. What is
  /// written stays there until it is written again.
  public func withInput<Result>(
    _ index: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result
  ) throws(InferenceError) -> Result {
    guard graph.inputs.indices.contains(index) else {
      throw .noSuchTensor(index: index, count: graph.inputs.count)
    }
    return body(try memory(of: graph.inputs[index], index))
  }

  /// Copies `bytes` into input `index`; there must be as many as it holds.
  public func setInput(_ index: Int, to bytes: [UInt8]) throws(InferenceError) {
    let expected = try withInput(index) { memory in
      if memory.count == bytes.count { memory.copyBytes(from: bytes) }
      return memory.count
    }
    guard expected == bytes.count else {
      throw .byteCount(index: index, found: bytes.count, expected: expected)
    }
  }

  /// Calls `body` with the memory of output `index`, which holds the last run's result.
  ///
  /// - Throws: `noSuchTensor`, or `byteCount` where the output's size is known only after a run and
  ///   none has succeeded.
  public func withOutput<Result>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(InferenceError) -> Result {
    guard graph.outputs.indices.contains(index) else {
      throw .noSuchTensor(index: index, count: graph.outputs.count)
    }
    return body(UnsafeRawBufferPointer(try memory(of: graph.outputs[index], index)))
  }

  /// The bytes of output `index` after the last run.
  public func output(_ index: Int) throws(InferenceError) -> [UInt8] {
    try withOutput(index) { [UInt8]($0) }
  }

  private func memory(
    of tensor: Int, _ index: Int
  ) throws(InferenceError) -> UnsafeMutableRawBufferPointer {
    let info = current.preparation.tensors[tensor]
    let expected = info.type.byteCount(of: info.shape.elementCount) ?? 0
    let found = current.byteCounts[tensor]
    guard found >= expected else {
      throw .byteCount(index: index, found: found, expected: expected)
    }
    return UnsafeMutableRawBufferPointer(start: current.addresses[tensor], count: expected)
  }

  /// Runs the graph once.
  ///
  /// - Complexity: The model's multiply-adds; no allocation where all shapes are fixed.
  public func invoke() throws(InferenceError) {
    try invoke { _, _ in }
  }

  /// Runs the graph once and calls `observe` with each node's index in the file, before (`false`)
  /// and after (`true`) it runs.
  package func invoke(
    observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) {
    try run(first, addresses: builder.addresses, observe)
    guard first.positions.upperBound < graph.nodes.count else { return }
    do throws(InferenceError) {
      try runInMidRun(observe)
    } catch {
      // Shapes that were stated for tensors without memory must not be seen.
      current = builder
      later = []
      throw error
    }
  }

  /// Prepares and runs what is behind the first segment.
  private func runInMidRun(
    _ observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) {
    current = builder
    later = []
    var done = first
    while done.positions.upperBound < graph.nodes.count {
      current.noteComputed(by: done)
      done = try current.segment(from: done.positions.upperBound, inMidRun: true)
      later.append(done)
      try run(done, addresses: current.addresses, observe)
    }
  }

  private func run(
    _ segment: Segment, addresses: [UnsafeMutableRawPointer],
    _ observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) {
    try addresses.withUnsafeBufferPointer { table throws(InferenceError) in
      guard let start = table.baseAddress else { return }
      let evaluation = Evaluation(addresses: start, workers: options.workers)
      for step in segment.steps {
        observe(step.node, false)
        try step.evaluate(evaluation)
        observe(step.node, true)
      }
    }
  }

  /// The memory plan of the part of the graph whose shapes are fixed.
  package var memoryBlocks: [MemoryBlock] { first.blocks }
  /// The bytes of the arena that `memoryBlocks` describes.
  package var arenaByteCount: Int { first.arena.byteCount }
  /// The bytes of tensors that were computed once from constants.
  package var foldedByteCount: Int { builder.foldedByteCount }
}

// MARK: - Preparation

extension Interpreter {
  /// Zero-filled memory for variable tensors, which keep their values from run to run.
  private static func variables(of graph: Graph, limit: Int) throws(InferenceError) -> Arena {
    var total = 0
    for tensor in graph.tensors where tensor.isVariable {
      guard let bytes = tensor.type.byteCount(of: tensor.shape.elementCount), bytes <= limit,
        total + bytes <= limit
      else { throw .tooLarge(node: 0, bytes: Int.max, limit: limit) }
      total += Arena.aligned(bytes)
    }
    return Arena(byteCount: total)
  }

  private static func prepare(
    graph: Graph, registry: Registry, options: Options, tensors: [TensorInfo], model: Model,
    constants: ConstantStore, variables: Arena
  ) throws(InferenceError) -> (SegmentBuilder, Segment) {
    var known = [UnsafeRawBufferPointer?](repeating: nil, count: tensors.count)
    var memory = [UnsafeMutableRawBufferPointer?](repeating: nil, count: tensors.count)
    var offset = 0
    for (index, tensor) in graph.tensors.enumerated() {
      if graph.isConstant[index] {
        let constant = try constants.memory(of: tensor)
        known[index] = constant
        memory[index] = UnsafeMutableRawBufferPointer(mutating: constant)
      } else if tensor.isVariable {
        let bytes = tensor.type.byteCount(of: tensor.shape.elementCount) ?? 0
        memory[index] = UnsafeMutableRawBufferPointer(start: variables.base + offset, count: bytes)
        offset += Arena.aligned(bytes)
      }
    }
    var builder = SegmentBuilder(
      graph: graph, registry: registry, options: options, file: model.bytes, memory: memory,
      placeholder: variables.base, takenByteCount: constants.copiedByteCount + offset,
      tensors: tensors, known: known)
    let segment = try builder.segment(from: 0, inMidRun: false)
    return (builder, segment)
  }
}

extension SegmentBuilder {
  /// Notes that a segment has run: what later nodes read of it is known from now on.
  mutating func noteComputed(by segment: Segment) {
    for block in segment.blocks {
      guard let tensor = block.tensor, block.lifetime.upperBound >= segment.positions.upperBound
      else { continue }
      preparation.known[tensor] = UnsafeRawBufferPointer(
        start: addresses[tensor], count: block.byteCount)
    }
  }
}
