//===--- Interpreter.swift - running a model ------------------------------===//
//
// Prepares a model's graph once and runs it any number of times. Everything that can fail or needs memory
// happens during preparation; `invoke` of a graph with fixed shapes does neither.
//
// Contract  The same model, options and inputs give the same bytes for every number of workers. Not for use
//           from several tasks at once: each task creates its own interpreter from a `PreparedModel`.
// Cost      Weights stay in the model's memory unless a kernel packs them, and are shared by all
//           interpreters of a prepared model. Each interpreter has an arena and variables.
//===----------------------------------------------------------------------===//

public import MartletModel
public import MartletOperators

/// Runs a TensorFlow Lite model.
///
/// ```swift
/// let interpreter = try Interpreter(model: Model(bytes: bytes))
/// try interpreter.setInput(0, to: [UInt8](repeating: 0, count: 224 * 224 * 3))
/// try interpreter.invoke()
/// print(try interpreter.output(0))
/// ```
public final class Interpreter {
  /// Kernels, workers and limits of an interpreter.
  ///
  /// ```swift
  /// let options = Interpreter.Options(
  ///   workers: .pool(count: 4), memoryLimit: 64 << 20, cancellation: .timeLimit(seconds: 2))
  /// ```
  public struct Options: Sendable {
    /// The set of kernels. Default: `.fast`.
    public var kernels: KernelSet
    /// The workers that run kernels; they do not change the results. Default: `.serial`.
    public var workers: Workers
    /// The most memory, in bytes, for tensors, variables and scratch memory together. Constants
    /// that are used in place and packed weights do not count. Default: `defaultMemoryLimit`.
    public var memoryLimit: Int
    /// Additional operators. They replace the package's own of the same code and version. Default:
    /// none.
    public var operators: [Registration]
    /// The most iterations of all loops of one run together. Default: `defaultLoopLimit`.
    public var loopLimit: Int
    /// The most work that one run may take, in units of about four nanoseconds of one core. An
    /// element that is read or written counts 1, or 4 with slow operators; 16 multiply-adds of a
    /// convolution with fast kernels count 1. Measured operators take at most about three times
    /// their work. Default: `defaultWorkLimit`.
    public var workLimit: Int
    /// Stops the preparation of a model, and each run, at a time limit or if the caller cancels.
    /// Default: `.never`.
    public var cancellation: CancellationCheck

    /// The most work for computing constants during preparation: nodes that would take more run
    /// with the graph.
    package var foldingLimit = Int.max

    /// The default memory limit: one gibibyte.
    public static let defaultMemoryLimit = ModelLimits.memory
    /// The default limit of iterations: about four million.
    public static let defaultLoopLimit = ModelLimits.loopIterations
    /// The default limit of work, 2³⁶: about five minutes of one core.
    public static let defaultWorkLimit = ModelLimits.work

    /// Options. By default they run the fast kernels on the calling thread.
    public init(
      kernels: KernelSet = .fast, workers: Workers = .serial,
      memoryLimit: Int = Options.defaultMemoryLimit, loopLimit: Int = Options.defaultLoopLimit,
      workLimit: Int = Options.defaultWorkLimit, cancellation: CancellationCheck = .never,
      operators: [Registration] = []
    ) {
      self.kernels = kernels
      self.workers = workers
      self.memoryLimit = memoryLimit
      self.operators = operators
      self.loopLimit = loopLimit
      self.workLimit = workLimit
      self.cancellation = cancellation
    }
  }

  /// The prepared model; interpreters that other tasks create from it share its weights.
  public private(set) var prepared: PreparedModel
  private let variables: VariableStore
  private(set) var state: SubgraphState

  /// An interpreter with its own arena and variables, all zero or unassigned.
  ///
  /// - Complexity: Allocates the arena and a table of addresses. The model is not prepared again.
  public convenience init(_ prepared: PreparedModel) {
    unsafe self.init(prepared, variables: VariableStore(variableCount: prepared.variables.count))
  }

  /// An interpreter that does not own its inputs: they are at these addresses during its lifetime,
  /// for example in flash, as the graph never writes them. Resized inputs are in the arena.
  package convenience init(_ prepared: PreparedModel, inputs: [UnsafeMutableRawPointer]) {
    unsafe self.init(
      prepared, variables: VariableStore(variableCount: prepared.variables.count), inputs: inputs)
  }

  private init(
    _ prepared: PreparedModel, variables: VariableStore,
    inputs: [UnsafeMutableRawPointer] = unsafe []
  ) {
    self.prepared = prepared
    self.variables = variables
    state = unsafe prepared.makeState(variables: variables, inputs: inputs)
  }

  /// Prepares subgraph `subgraph` of `model` and creates an interpreter.
  ///
  /// - Throws: `InferenceError`: an unsupported operator, tensors or options that do not fit,
  ///   memory beyond the limit.
  /// - Complexity: One pass over the operators, plus the packing of weights.
  public convenience init(
    model: Model, subgraph: Int = 0, options: Options = Options()
  ) throws(InferenceError) {
    self.init(try PreparedModel(model: model, subgraph: subgraph, options: options))
  }

  /// Prepares signature `key` of `model` and creates an interpreter with the inputs and outputs
  /// that the signature names, in its order.
  public convenience init(
    model: Model, signature key: String, options: Options = Options()
  ) throws(InferenceError) {
    self.init(try PreparedModel(model: model, signature: key, options: options))
  }

  /// An interpreter of another signature of the same model, which shares the resource variables of
  /// this one. Use one of them at a time.
  public func interpreter(forSignature key: String) throws(InferenceError) -> Interpreter {
    let model = prepared.context.model
    return unsafe Interpreter(
      try PreparedModel(model: model, signature: key, options: prepared.context.options),
      variables: variables)
  }

  /// The inputs in the model's order.
  public var inputs: [InterfaceTensor] { prepared.interface.inputs.map(describe) }

  /// The outputs in the model's order. Shapes that the graph computes are those of the last run.
  public var outputs: [InterfaceTensor] { prepared.interface.outputs.map(describe) }

  private func describe(_ tensor: Interface.Entry) -> InterfaceTensor {
    let info = state.tensors.infos[tensor.tensor]
    return InterfaceTensor(
      name: tensor.name, type: info.type, shape: info.shape, quantization: info.quantization)
  }

  private func input(_ index: Int) throws(InferenceError) -> Int {
    let inputs = prepared.interface.inputs
    guard inputs.indices.contains(index) else {
      throw .noSuchTensor(index: index, count: inputs.count)
    }
    return inputs[index].tensor
  }

  /// Resizes input `index` and prepares the graph for its new shape. All inputs and variable
  /// tensors are zero afterwards; resource variables keep their values.
  public func resizeInput(_ index: Int, to extents: [Int]) throws(InferenceError) {
    let tensor = try input(index)
    guard let shape = Shape(checking: extents) else {
      throw .invalidShape(index: index, found: extents)
    }
    prepared = try prepared.resizing(input: tensor, to: shape)
    variables.clearTensors()
    state = unsafe prepared.makeState(variables: variables)
  }

  /// Resets variables to their state before the first run: variable tensors to zero, resource
  /// variables to no value. CALL_ONCE runs its subgraph again.
  public func resetState() { variables.reset() }

  /// Calls `body` with the memory of input `index`: little-endian elements, row-major. The contents
  /// stay until they are overwritten.
  public func withInput<Result>(
    _ index: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result
  ) throws(InferenceError) -> Result {
    unsafe body(try memory(of: try input(index), index))
  }

  /// Copies `bytes` into input `index`; the count must match. A string input takes any number of
  /// bytes in LiteRT's layout of strings; the operators that read it check the layout.
  public func setInput(_ index: Int, to bytes: [UInt8]) throws(InferenceError) {
    try unsafe bytes.withUnsafeBufferPointer { bytes throws(InferenceError) in
      try unsafe setInput(index, copying: UnsafeRawBufferPointer(bytes))
    }
  }

  /// Copies the caller's memory into input `index`, as `setInput(_:to:)` does.
  package func setInput(
    _ index: Int, copying bytes: UnsafeRawBufferPointer
  ) throws(InferenceError) {
    let tensor = try input(index)
    if state.tensors.infos[tensor].type == .string {
      return try unsafe state.setStrings(bytes, ofInput: tensor)
    }
    let expected = try unsafe withInput(index) { memory in
      if memory.count == bytes.count { unsafe memory.copyMemory(from: bytes) }
      return memory.count
    }
    guard expected == bytes.count else {
      throw .byteCount(index: index, found: bytes.count, expected: expected)
    }
  }

  /// Calls `body` with the memory of output `index`, the result of the last run.
  ///
  /// - Throws: `noSuchTensor`, or `byteCount` if the size is known only after a run and none has
  ///   succeeded.
  public func withOutput<Result>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(InferenceError) -> Result {
    let outputs = prepared.interface.outputs
    guard outputs.indices.contains(index) else {
      throw .noSuchTensor(index: index, count: outputs.count)
    }
    return unsafe body(UnsafeRawBufferPointer(try memory(of: outputs[index].tensor, index)))
  }

  /// The bytes of output `index` after the last run.
  public func output(_ index: Int) throws(InferenceError) -> [UInt8] {
    try unsafe withOutput(index) { unsafe [UInt8]($0) }
  }

  private func memory(
    of tensor: Int, _ index: Int
  ) throws(InferenceError) -> UnsafeMutableRawBufferPointer {
    let info = state.tensors.infos[tensor]
    let found = state.tensors.byteCounts[tensor]
    let expected = info.type == .string ? found : info.byteCount ?? 0
    guard found >= expected else {
      throw .byteCount(index: index, found: found, expected: expected)
    }
    // The tensor has at least so many bytes, which its state keeps alive.
    return unsafe UnsafeMutableRawBufferPointer(
      start: state.tensors.addresses[tensor], count: expected)
  }

  /// Runs the graph once.
  /// - Throws: Errors that depend on the inputs; a limit of the options; `cancelled` or
  ///   `deadlineExceeded` if the options' `cancellation` stops the run, which leaves the outputs
  ///   undefined.
  /// - Complexity: The model's multiply-adds; no allocation if all shapes are fixed.
  public func invoke() throws(InferenceError) {
    try invoke { _, _ in }
  }

  /// Runs the graph once and calls `observe` with the index of each node in the file, before
  /// (`false`) and after (`true`) it runs.
  package func invoke(
    observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) {
    state.session.begin()
    try state.run(observe)
  }
}

// MARK: - By name

extension Interpreter {
  /// The index of the input with this name.
  public func inputIndex(named name: String) throws(InferenceError) -> Int {
    guard let index = prepared.interface.inputs.firstIndex(where: { $0.name == name }) else {
      throw .noSuchName(name)
    }
    return index
  }

  /// The index of the output with this name.
  public func outputIndex(named name: String) throws(InferenceError) -> Int {
    guard let index = prepared.interface.outputs.firstIndex(where: { $0.name == name }) else {
      throw .noSuchName(name)
    }
    return index
  }

  /// Runs the graph once with these inputs by name, and returns all outputs. Other inputs keep
  /// their elements.
  public func run(_ inputs: [String: [UInt8]]) throws(InferenceError) -> [String: [UInt8]] {
    for (name, bytes) in inputs.sorted(by: { $0.key < $1.key }) {
      try setInput(try inputIndex(named: name), to: bytes)
    }
    try invoke()
    var outputs: [String: [UInt8]] = [:]
    for (index, tensor) in prepared.interface.outputs.enumerated() {
      outputs[tensor.name] = try output(index)
    }
    return outputs
  }
}

// MARK: - Prepared state

extension Interpreter {
  /// The bytes in use, by purpose.
  public var memory: MemoryUse { prepared.memory }

  /// The segment of the graph with fixed shapes.
  var first: Segment { prepared.plan.first }
  /// The graph as known before it runs.
  var plan: SubgraphPlan { prepared.plan }
  /// The memory plan of the segment with fixed shapes.
  package var memoryBlocks: [MemoryBlock] { first.blocks }
  /// The bytes of the arena that `memoryBlocks` describes.
  package var arenaByteCount: Int { memory.arena }
  /// The bytes of tensors that were computed from constants.
  package var foldedByteCount: Int { memory.folded }
}
