//===--- PreparedModel.swift - a model, ready to run ----------------------===//
//
// Constants, folded tensors, packed weights and the memory plan of a model. Interpreters of one prepared
// model share all of it; each has its own arena and variables.
//
// Contract  Immutable and Sendable: pass it to any number of tasks, each of which creates its own
//           `Interpreter`.
//===----------------------------------------------------------------------===//

public import MartletModel
import MartletBase
import MartletOperators

/// The bytes of a prepared model and of one interpreter, by purpose.
public struct MemoryUse: Sendable, Hashable {
  /// The model's file, which holds constants.
  public let file: Int
  /// Copies of constants that cannot be used in place: misaligned ones, sparse ones (with their
  /// zeros), and integers of less than a byte (one byte each).
  public let copied: Int
  /// Tensors that were computed from constants.
  public let folded: Int
  /// Weights that kernels have packed.
  public let packed: Int
  /// The arena of each interpreter: tensors and scratch memory, including subgraphs.
  public let arena: Int
  /// The variables of each interpreter, if their sizes are known.
  public let variables: Int
}

/// A model that is ready to run.
///
/// ```swift
/// let prepared = try PreparedModel(model: model)
/// let interpreters = (0..<4).map { _ in Interpreter(prepared) }  // one for each task
/// ```
public final class PreparedModel: Sendable {
  let context: ModelContext
  let plan: SubgraphPlan
  let arguments: [Argument]
  /// The names and tensors of inputs and outputs.
  let interface: Interface
  /// The type and shape of each resource variable, if known.
  let variables: [VariableInfo?]
  /// The bytes in use.
  public let memory: MemoryUse

  /// Prepares subgraph `subgraph` of `model` with inputs as the file declares them.
  ///
  /// - Throws: `InferenceError`: an unsupported operator, tensors or options that do not fit,
  ///   memory beyond the limit.
  /// - Complexity: One pass over the operators, plus the packing of weights.
  public convenience init(
    model: Model, subgraph: Int = 0, options: Interpreter.Options = .init()
  ) throws(InferenceError) {
    try self.init(
      model: model, subgraph: subgraph, options: options,
      registry: .builtin.adding(options.operators))
  }

  /// Prepares the first subgraph with another shape of its first input, as
  /// `Interpreter.resizeInput` does.
  package convenience init(
    model: Model, firstInput shape: Shape, options: Interpreter.Options
  ) throws(InferenceError) {
    let context = try ModelContext(
      model: model, root: 0, options: options, registry: .builtin.adding(options.operators))
    let interface = try Interface(subgraph: 0, of: model)
    let graph = model.subgraphs[0]
    let arguments = graph.inputs.map { tensor in
      Argument(
        type: graph.tensors[tensor].type,
        shape: tensor == graph.inputs.first ? shape : graph.tensors[tensor].shape)
    }
    try self.init(context, interface, arguments: arguments)
  }

  /// Prepares the subgraph of signature `key`, with the names and order of its inputs and outputs.
  public convenience init(
    model: Model, signature key: String, options: Interpreter.Options = .init()
  ) throws(InferenceError) {
    let signature = try model.signature(key)
    let context = try ModelContext(
      model: model, root: signature.subgraph, options: options,
      registry: .builtin.adding(options.operators))
    try self.init(context, try Interface(signature, of: model))
  }

  /// Prepares a subgraph with the operators of `registry` only. If it `ownsInputs`, inputs are in
  /// the arena of each interpreter, otherwise in memory of the caller.
  package convenience init(
    model: Model, subgraph: Int, options: Interpreter.Options, registry: Registry,
    ownsInputs: Bool = true
  ) throws(InferenceError) {
    let context = try ModelContext(
      model: model, root: subgraph, options: options, registry: registry)
    try self.init(
      context, try Interface(subgraph: subgraph, of: model), ownsInputs: ownsInputs)
  }

  /// Prepares a subgraph for inputs of these types and shapes, by default those of the file.
  init(
    _ context: ModelContext, _ interface: Interface, arguments: [Argument]? = nil,
    ownsInputs: Bool = true
  ) throws(InferenceError) {
    let subgraph = context.model.subgraphs[interface.subgraph]
    let arguments =
      arguments
      ?? subgraph.inputs.map { tensor in
        Argument(type: subgraph.tensors[tensor].type, shape: subgraph.tensors[tensor].shape)
      }
    let cancellation = context.options.cancellation.started()
    func prepare(variablesVary: Bool) throws(InferenceError) -> (SubgraphPlan, Budget) {
      let budget = Budget(
        limit: context.options.memoryLimit, workLimit: context.options.workLimit,
        taken: context.constants.copiedByteCount, variableCount: context.variables.count,
        variablesVary: variablesVary, foldingLimit: context.options.foldingLimit,
        cancellation: cancellation)
      let plan = try SubgraphPlan(
        interface.subgraph, arguments: arguments, ownsInputs: ownsInputs, path: [], in: context,
        budget: budget)
      return (plan, budget)
    }
    var (plan, budget) = try prepare(variablesVary: false)
    // Shapes that depend on a run can be those of variables too.
    if budget.hasVaryingVariable || (!plan.isFixed && !context.variables.isEmpty) {
      (plan, budget) = try prepare(variablesVary: true)
    }
    self.context = context
    self.interface = interface
    self.arguments = arguments
    self.plan = plan
    variables = budget.variables
    memory = MemoryUse(
      file: context.model.bytes.count, copied: context.constants.copiedByteCount,
      folded: budget.folded, packed: budget.use.packed, arena: plan.first.byteCount,
      variables: budget.variableBytes)
  }

  /// Which of the subgraph's tensors are constants of the file.
  package var constants: [Bool] { plan.graph.isConstant }

  /// The shapes of the subgraph's tensors. Results of nodes that were merged into the next node have
  /// the shape in the file, and so have tensors from `firstOpenNode` on.
  package var shapes: [Shape] { plan.tensors.infos.map { $0.shape } }

  /// The first node that needs a value of the run for its shapes, or `nil` if all are known.
  package var firstOpenNode: Int? {
    plan.isFixed ? nil : plan.graph.nodes[plan.first.positions.upperBound].index
  }

  /// A state for running the model, with the addresses of inputs that it does not own.
  func makeState(
    variables store: VariableStore, inputs: [UnsafeMutableRawPointer] = unsafe []
  ) -> SubgraphState {
    store.reserve(variables)
    let budget = Budget(copying: plan.budget)
    return unsafe SubgraphState(
      plan, session: Session(context, budget: budget, variables: store), inputs: inputs)
  }

  /// The same model prepared for another shape of one input.
  func resizing(input tensor: Int, to shape: Shape) throws(InferenceError) -> PreparedModel {
    var arguments = arguments
    for (index, input) in plan.graph.inputs.enumerated() where input == tensor {
      arguments[index] = Argument(type: arguments[index].type, shape: shape)
    }
    return try PreparedModel(context, interface, arguments: arguments)
  }
}
