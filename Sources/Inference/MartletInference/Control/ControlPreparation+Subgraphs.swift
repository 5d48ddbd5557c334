//===--- ControlPreparation+Subgraphs.swift - subgraph calls --------------===//
//
// Used by operators that run subgraphs: plans for the subgraphs, and copies of inputs and results.
//
// Contract  Recursive subgraphs, direct or indirect, are rejected, as are calls nested too deeply.
//           The stack use is bounded, whatever the file contains.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

extension ControlPreparation {
  /// Describes input `index` as a subgraph's argument. Includes its elements if they are constant
  /// and `isInvariant` says that the subgraph gets them in every run.
  func argument(_ index: Int, isInvariant: Bool = true) throws(InferenceError) -> Argument {
    let info = try common.input(index)
    var argument = Argument(info)
    if isInvariant, info.isConstant, let memory = unsafe common.tensors.known(info.index) {
      argument.constant = unsafe Argument.Constant(memory: memory)
    }
    return argument
  }

  /// Describes these inputs as a subgraph's arguments, and returns their slots.
  func arguments(_ inputs: Range<Int>) throws(InferenceError) -> ([Argument], slots: [Int]) {
    var arguments: [Argument] = []
    for index in inputs { arguments.append(try argument(index)) }
    return (arguments, inputs.map { common.operation.inputs[$0] })
  }

  /// The inputs and outputs of subgraph `index`, which this node calls.
  func interface(
    ofSubgraph index: Int
  ) throws(InferenceError) -> (inputs: [Int], outputs: [Int]) {
    let subgraphs = context?.model.subgraphs ?? []
    guard subgraphs.indices.contains(index) else {
      throw .noSuchSubgraph(index: index, count: subgraphs.count)
    }
    return (subgraphs[index].inputs, subgraphs[index].outputs)
  }

  /// Prepares subgraph `index`. If `ownsInputs`, it runs in its own memory, otherwise in the memory
  /// of this node's state.
  func plan(
    _ index: Int, _ arguments: [Argument], ownsInputs: Bool = false
  ) throws(InferenceError) -> SubgraphPlan {
    guard let context else { throw .noSuchSubgraph(index: index, count: 0) }
    let (inputs, _) = try interface(ofSubgraph: index)
    guard inputs.count == arguments.count else {
      throw .operandCount(
        node: common.node, found: arguments.count, expected: inputs.count...inputs.count)
    }
    guard !path.contains(index) else {
      throw .recursion(node: common.node, caller: path.last ?? index, callee: index)
    }
    guard path.count < ModelLimits.nesting else {
      throw .nesting(node: common.node, depth: path.count, limit: ModelLimits.nesting)
    }
    try common.budget.call(
      nodeCount: context.model.subgraphs[index].operators.count, from: common.node)
    do throws(InferenceError) {
      return try SubgraphPlan(
        index, arguments: arguments, ownsInputs: ownsInputs, path: path, in: context,
        budget: common.budget)
    } catch {
      throw .inSubgraph(index: index, error)
    }
  }

  /// Returns a slot for an arena shared by these subgraphs, only one of which runs at a time.
  mutating func arena(for plans: SubgraphPlan...) -> Int {
    common.requirements.placeInArena(
      bytes: plans.reduce(0) { max($0, $1.first.byteCount) })
  }

  /// Sets a tensor's shape, type and resource.
  mutating func setTensor(_ index: Int, to argument: Argument) {
    common.tensors.infos[index].declaredType = argument.type
    common.tensors.infos[index].shape = argument.shape
    common.tensors.infos[index].resource = argument.resource
  }

  /// Sets the node's outputs to the results of `plan` and returns the copies to make.
  mutating func takeResults(of plan: SubgraphPlan) throws(InferenceError) -> [Copy] {
    var copies: [Copy] = []
    let results = plan.graph.outputs
    guard results.count == common.outputCount else {
      throw .operandCount(
        node: common.node, found: common.outputCount, expected: results.count...results.count)
    }
    for (result, output) in zip(results, common.operation.outputs) {
      let info = plan.tensors.infos[result]
      setTensor(output, to: Argument(info))
      if info.type != .resource {
        copies.append(Copy(from: result, to: output, byteCount: try byteCount(of: info)))
      }
    }
    return copies
  }

  /// The size in bytes of a tensor that is copied.
  func byteCount(of info: TensorInfo) throws(InferenceError) -> Int {
    guard let bytes = info.byteCount else {
      throw .tooLarge(node: common.node, bytes: Int.max, limit: common.budget.limit)
    }
    return bytes
  }

  /// Returns the boolean in input `index` if it is known; throws unless the input has one element.
  func knownCondition(_ index: Int) throws(InferenceError) -> Bool? {
    let condition = try common.input(index, as: Bool.self)
    guard condition.count == 1 else {
      throw .elementCount(
        node: common.node, operand: .input(index), found: condition.count, expected: 1)
    }
    // One element of one byte, as checked above.
    return unsafe common.knownMemory(ofTensor: condition.slot).map {
      unsafe $0.loadUnaligned(as: UInt8.self) != 0
    }
  }

  /// Runs one subgraph in place of this node; `inputs` are its inputs, and all its results are
  /// outputs.
  mutating func callAlone(
    _ subgraph: Int, inputs: Range<Int>
  ) throws(InferenceError) -> Work {
    let use = common.budget.use
    let (arguments, slots) = try arguments(inputs)
    let plan = try plan(subgraph, arguments)
    guard plan.isFixed, plan.hasFixedInterface else {
      common.budget.use = use
      return .open(.call(subgraph: subgraph, inputs: inputs))
    }
    let results = try takeResults(of: plan)
    return .call(
      Call(plan: plan, arena: arena(for: plan), inputs: slots, results: results))
  }
}
