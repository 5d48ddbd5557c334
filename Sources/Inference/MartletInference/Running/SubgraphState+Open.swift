//===--- SubgraphState+Open.swift - subgraphs with dynamic shapes ---------===//
//
// If shapes of a subgraph's results or of a loop's variables depend on values, the subgraphs are
// prepared for the current inputs, run in their own memory, and their results are copied. A loop
// prepares its subgraphs again when shapes change.
//
// Strings are handled in the same way, because their size in bytes varies (see
// SubgraphState+Strings.swift).
//
// Contract  Memory counts towards the limit; for all iterations together only what is in use
//           counts.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

/// A tensor's elements passed between subgraphs. It is safe to keep while the owner of the memory
/// lives, for `byteCount` bytes.
@safe private struct Value {
  let argument: Argument
  let memory: UnsafeMutableRawPointer
  let byteCount: Int
  /// The owner of the memory, unless a subgraph owns it.
  var arena: Arena?
}

extension SubgraphState {
  /// Executes an open node and sets its outputs; returns their memory.
  func run(
    _ work: OpenWork, of node: Int, _ p: inout ControlPreparation
  ) throws(InferenceError) -> [Arena] {
    let use = session.budget.use
    let results: [Value]
    switch work {
    case .call(let subgraph, let inputs):
      var values: [Value] = []
      for index in inputs { values.append(try p.value(ofInput: index)) }
      let state = try state(of: subgraph, for: values, p)
      try state.run(values)
      results = try state.results(node: node)
    case .loop(let condition, let body):
      results = try run(condition: condition, body: body, node: node, p)
    case .strings(let registration, let inputs):
      return try run(registration, onStrings: inputs, &p.common)
    case .importTable(let table):
      try importTable(table, p.common)
      return []
    case .searchTable(let table): return [try searchTable(table, &p.common)]
    }
    // The memory of the subgraphs has been released; the results are kept.
    session.budget.use = use
    guard results.count == p.common.outputCount else {
      throw .operandCount(
        node: node, found: p.common.outputCount, expected: results.count...results.count)
    }
    var arenas: [Arena] = []
    for (value, output) in zip(results, p.common.operation.outputs) {
      try session.budget.take(Arena.aligned(value.byteCount), for: node)
      arenas.append(p.take(value, as: output))
    }
    return arenas
  }

  /// Creates a state of subgraph `index` with its own memory.
  private func state(
    of index: Int, for values: [Value], _ p: ControlPreparation
  ) throws(InferenceError) -> SubgraphState {
    let plan = try p.plan(index, values.map { $0.argument }, ownsInputs: true)
    try session.take(
      work: (plan.graph.nodes.count + 1) * ModelLimits.preparationWork, node: p.common.node)
    return unsafe SubgraphState(plan, session: session)
  }

  /// Runs this state's subgraph on copies of `values`.
  private func run(_ values: [Value]) throws(InferenceError) {
    for (tensor, value) in zip(plan.graph.inputs, values) {
      if value.argument.type == .string {
        let bytes = unsafe UnsafeRawBufferPointer(start: value.memory, count: value.byteCount)
        try unsafe setStrings(bytes, ofInput: tensor)
      } else {
        // No more bytes than either has.
        unsafe tensors.addresses[tensor].copyMemory(
          from: value.memory, byteCount: min(value.byteCount, tensors.byteCounts[tensor]))
      }
    }
    do throws(InferenceError) {
      try run()
    } catch {
      throw .inSubgraph(index: plan.index, error)
    }
  }

  /// Returns copies of this state's results.
  private func results(node: Int) throws(InferenceError) -> [Value] {
    var values: [Value] = []
    for tensor in plan.graph.outputs {
      let memory = unsafe tensors.memory(of: tensor)
      try session.budget.take(Arena.aligned(memory.count), for: node)
      let arena = unsafe Arena(copying: memory)
      unsafe values.append(
        Value(
          argument: Argument(tensors.infos[tensor]), memory: arena.base, byteCount: memory.count,
          arena: arena))
    }
    return values
  }

  private func run(
    condition: Int, body: Int, node: Int, _ p: ControlPreparation
  ) throws(InferenceError) -> [Value] {
    var values: [Value] = []
    for index in 0..<p.common.inputCount { values.append(try p.value(ofInput: index)) }
    let use = session.budget.use
    var states: (condition: SubgraphState, body: SubgraphState)?
    var arguments: [Argument] = []
    while true {
      let found = values.map { $0.argument }
      if states == nil || found != arguments {
        states = nil
        session.budget.use = use
        for value in values {
          try session.budget.take(value.arena?.byteCount ?? 0, for: node)
        }
        let state = try state(of: condition, for: values, p)
        states = (state, try self.state(of: body, for: values, p))
        arguments = found
      }
      guard let states else { return values }
      try states.condition.run(values)
      try states.condition.plan.expectCondition(states.condition.tensors, node: node)
      guard states.condition.isTrue else { return values }
      try session.countIteration(node: node)
      try states.body.run(values)
      for value in values { session.budget.release(value.arena?.byteCount ?? 0) }
      values = try states.body.results(node: node)
    }
  }
}

extension ControlPreparation {
  /// Returns the elements of input `index`.
  fileprivate func value(ofInput index: Int) throws(InferenceError) -> Value {
    let tensor = try common.input(index).index
    return unsafe Value(
      argument: try argument(index, isInvariant: false),
      memory: common.tensors.addresses[tensor], byteCount: common.tensors.byteCounts[tensor])
  }

  /// Sets an output of the node to a value and returns its memory.
  fileprivate mutating func take(_ value: Value, as tensor: Int) -> Arena {
    setTensor(tensor, to: value.argument)
    // After zero iterations the values are still in memory that may be reused, so they are copied.
    let arena =
      unsafe value.arena
      ?? Arena(copying: UnsafeRawBufferPointer(start: value.memory, count: value.byteCount))
    common.tensors.place(tensor, in: arena, byteCount: value.byteCount)
    common.tensors.setKnown(tensor)
    return arena
  }
}
