//===--- SubgraphState+Open.swift - subgraphs of shapes to be seen --------===//
//
// Where the results of a subgraph, or the variables of a loop, have shapes that depend on values,
// the subgraphs are prepared for the inputs as they are, run with memory of their own, and their
// results copied. A loop prepares its subgraphs anew when shapes have changed.
//
// Strings go the same way: they have shapes, but take as many bytes as they take.
//
// Contract  Counts towards the memory limit, all iterations together never more than what is in use.
// Checked   Tests/MartletInferenceTests/ControlFlowTests.swift
//===----------------------------------------------------------------------===//

import MartletRuntime

/// Elements on their way between subgraphs.
private struct Value {
  let argument: Argument
  let memory: UnsafeMutableRawPointer
  let byteCount: Int
  /// What holds the memory, if no subgraph does.
  var arena: Arena?
}

extension SubgraphState {
  /// Runs what an open node asks for, and takes its results.
  func run(_ work: OpenWork, of node: Int) throws(InferenceError) {
    let use = session.ledger.use
    let results: [Value]
    switch work {
    case .call(let subgraph, let inputs):
      var values: [Value] = []
      for index in inputs { values.append(try value(ofInput: index)) }
      let state = try state(of: subgraph, for: values)
      try state.run(values)
      results = try state.results(node: node)
    case .loop(let condition, let body):
      results = try run(condition: condition, body: body, node: node)
    }
    // What ran is gone; its results stay.
    session.ledger.use = use
    let preparation = current.preparation
    guard results.count == preparation.outputCount else {
      throw .operandCount(
        node: node, found: preparation.outputCount, expected: results.count...results.count)
    }
    for (value, output) in zip(results, preparation.operation.outputs) {
      try take(value, as: output, node: node)
    }
  }

  private func value(ofInput index: Int) throws(InferenceError) -> Value {
    let preparation = current.preparation
    let info = try preparation.input(index)
    return Value(
      argument: try preparation.argument(index, isInvariant: false),
      memory: current.addresses[info.index], byteCount: current.byteCounts[info.index])
  }

  /// A state of subgraph `index`, to be run by itself.
  private func state(
    of index: Int, for values: [Value]
  ) throws(InferenceError) -> SubgraphState {
    let plan = try current.preparation.plan(
      index, values.map { $0.argument }, ownsInputs: true)
    return SubgraphState(plan, session: session)
  }

  /// Runs this state's subgraph on copies of `values`.
  private func run(_ values: [Value]) throws(InferenceError) {
    for (tensor, value) in zip(plan.graph.inputs, values) {
      if value.argument.type == .string {
        let bytes = UnsafeRawBufferPointer(start: value.memory, count: value.byteCount)
        try setStrings(bytes, ofInput: tensor)
      } else {
        current.addresses[tensor].copyMemory(
          from: value.memory, byteCount: min(value.byteCount, current.byteCounts[tensor]))
      }
    }
    do throws(InferenceError) {
      try run()
    } catch {
      throw .inSubgraph(index: plan.index, error)
    }
  }

  /// Copies of this state's results.
  private func results(node: Int) throws(InferenceError) -> [Value] {
    var values: [Value] = []
    for tensor in plan.graph.outputs {
      let info = current.preparation.tensors[tensor]
      var argument = Argument(type: info.declaredType, shape: info.shape)
      argument.resource = current.preparation.resources[tensor]
      let bytes = current.byteCounts[tensor]
      try session.ledger.take(Arena.aligned(bytes), for: node)
      let arena = Arena(
        copying: UnsafeRawBufferPointer(start: current.addresses[tensor], count: bytes))
      values.append(
        Value(argument: argument, memory: arena.base, byteCount: bytes, arena: arena))
    }
    return values
  }

  private func run(
    condition: Int, body: Int, node: Int
  ) throws(InferenceError) -> [Value] {
    var values: [Value] = []
    for index in 0..<current.preparation.inputCount { values.append(try value(ofInput: index)) }
    let use = session.ledger.use
    var states: (condition: SubgraphState, body: SubgraphState)?
    var arguments: [Argument] = []
    while true {
      let found = values.map { $0.argument }
      if states == nil || found != arguments {
        states = nil
        session.ledger.use = use
        for value in values {
          try session.ledger.take(value.arena?.byteCount ?? 0, for: node)
        }
        let state = try state(of: condition, for: values)
        states = (state, try self.state(of: body, for: values))
        arguments = found
      }
      guard let states else { return values }
      try states.condition.run(values)
      try states.condition.current.expectCondition(node: node)
      guard states.condition.isTrue else { return values }
      try countIteration(node: node)
      try states.body.run(values)
      for value in values { session.ledger.release(value.arena?.byteCount ?? 0) }
      values = try states.body.results(node: node)
    }
  }

  /// Makes a value the node's output.
  private func take(_ value: Value, as tensor: Int, node: Int) throws(InferenceError) {
    current.preparation.setShape(
      value.argument.shape, type: value.argument.type, ofTensor: tensor)
    current.preparation.resources[tensor] = value.argument.resource
    // Zero iterations leave the values where they were: in memory that may be used again.
    var arena = value.arena
    try session.ledger.take(Arena.aligned(value.byteCount), for: node)
    if arena == nil {
      arena = Arena(
        copying: UnsafeRawBufferPointer(start: value.memory, count: value.byteCount))
    }
    guard let arena else { return }
    keep(arena)
    current.addresses[tensor] = arena.base
    current.byteCounts[tensor] = value.byteCount
    current.preparation.known[tensor] = UnsafeRawBufferPointer(
      start: arena.base, count: value.byteCount)
  }
}
