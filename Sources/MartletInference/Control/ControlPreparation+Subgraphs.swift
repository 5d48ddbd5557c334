//===--- ControlPreparation+Subgraphs.swift - calling other subgraphs -----===//
//
// What operators ask that run subgraphs: plans for them, and how tensors go in and out.
//
// Contract  A subgraph that calls itself, directly or not, is refused, as are calls nested too
//           deeply; the stack does not grow with what a file says.
// Checked   Tests/MartletInferenceTests/ControlFlowTests.swift
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletModel
import MartletTensor

extension ControlPreparation {
  /// What input `index` is to a subgraph; its elements too where they never change and
  /// `isInvariant` says that the subgraph sees them in every run.
  func argument(_ index: Int, isInvariant: Bool = true) throws(InferenceError) -> Argument {
    let info = try common.input(index)
    var argument = Argument(info)
    if isInvariant, info.isConstant, let memory = common.tensors.known(info.index) {
      argument.constant = Argument.Constant(memory: memory)
    }
    return argument
  }

  /// What these inputs are to a subgraph, and their slots.
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

  /// Prepares subgraph `index`. One that `ownsInputs` is run by itself; others run in memory of
  /// this node's state.
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

  /// A slot for the arena of any of these subgraphs, of which one runs at a time.
  mutating func arena(for plans: SubgraphPlan...) -> Int {
    common.requirements.placeInArena(
      bytes: plans.reduce(0) { max($0, $1.first.byteCount) })
  }

  /// States the shape and type of a tensor, and the variable that it stands for.
  mutating func setTensor(_ index: Int, to argument: Argument) {
    common.tensors.infos[index].declaredType = argument.type
    common.tensors.infos[index].shape = argument.shape
    common.tensors.infos[index].resource = argument.resource
  }

  /// States that the node's outputs are the results of `plan`, and gives what is to be copied.
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

  /// The bytes of a tensor whose elements are copied.
  func byteCount(of info: TensorInfo) throws(InferenceError) -> Int {
    guard let bytes = info.byteCount else {
      throw .tooLarge(node: common.node, bytes: Int.max, limit: common.budget.limit)
    }
    return bytes
  }

  /// The one boolean that input `index` is, where it is known before the graph runs.
  func knownCondition(_ index: Int) throws(InferenceError) -> Bool? {
    let condition = try common.input(index, as: Bool.self)
    guard condition.count == 1 else {
      throw .elementCount(
        node: common.node, operand: .input(index), found: condition.count, expected: 1)
    }
    return common.knownMemory(ofTensor: condition.slot).map {
      $0.loadUnaligned(as: UInt8.self) != 0
    }
  }

  /// Runs one subgraph in this node's place: inputs from `inputs`, all results.
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
