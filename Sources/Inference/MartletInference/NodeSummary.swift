//===--- NodeSummary.swift - summary of a prepared node -------------------===//
//
// What `inspect`, profiles and benchmarks print about a node: its operator, its shapes, its work.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

/// A node that runs, after graph rewrites.
package struct NodeSummary: Sendable {
  /// The operator's index in the file's subgraph.
  package let index: Int
  package let name: String
  package let type: ElementType?
  package let inputs: [Shape]
  package let outputs: [Shape]
  /// The number of multiplications with weights; 0 for operators without weights.
  package let multiplyAdds: Int

  /// The operator and its shapes in one line; equal for nodes that do the same work.
  package var signature: String {
    let shapes = inputs.prefix(2).map { $0.description }.joined(separator: " ")
    let results = outputs.map { $0.description }.joined(separator: " ")
    return "\(name) \(type.map { "\($0)" } ?? "") \(shapes) -> \(results)"
  }
}

extension NodeSummary {
  init(_ node: GraphNode, tensors: [TensorInfo]) {
    index = node.index
    name = node.operation.code.name
    let present = node.operation.inputs.filter { $0 >= 0 }
    type = present.first.map { tensors[$0].type }
    inputs = present.map { tensors[$0].shape }
    outputs = node.operation.outputs.map { tensors[$0].shape }
    let operands = node.operation.shapes(node.operation.inputs, tensors)
    multiplyAdds =
      operands.isEmpty || outputs.isEmpty
      ? 0 : node.traits.cost.multiplyAdds?(node.operation.options, operands, outputs) ?? 0
  }
}

extension NodeSummary {
  /// Returns the operators of a subgraph with the shapes in the file, even if they are not
  /// supported.
  package static func stated(_ subgraph: Subgraph) -> [NodeSummary] {
    let tensors = subgraph.tensors.enumerated().map { TensorInfo($0, $1, isConstant: false) }
    return subgraph.operators.enumerated().map {
      NodeSummary(
        GraphNode(index: $0, operation: $1, traits: Registry.builtin.traits(of: $1)),
        tensors: tensors)
    }
  }
}

extension Interpreter {
  /// The nodes that run, in order, as far as their shapes are known before the run.
  package var nodeSummaries: [NodeSummary] {
    let running = Set(first.steps.map { $0.node })
    return plan.graph.nodes.filter { running.contains($0.index) }
      .map { NodeSummary($0, tensors: plan.tensors.infos) }
  }

  /// The number of multiplications with weights in one run.
  package var multiplyAdds: Int { nodeSummaries.reduce(0) { $0 &+ $1.multiplyAdds } }

  /// The estimated work of one run in the units of `Options.workLimit`, as far as shapes are known
  /// before the run.
  package var work: Int { first.cost }
}

extension Interpreter {
  /// Runs the graph once and calls `observe` with each result of a node right after the node has
  /// run. `node` is the operator's index in the file. For merged operators only the last one's
  /// result is reported.
  package func invoke(
    observingResults observe: (
      _ node: Int, _ tensor: TensorInfo, _ memory: UnsafeRawBufferPointer
    ) -> Void
  ) throws(InferenceError) {
    var outputs: [Int: [Int]] = [:]
    for node in plan.graph.nodes { outputs[node.index] = node.operation.outputs }
    try invoke { node, done in
      guard done else { return }
      for tensor in outputs[node] ?? [] {
        let info = state.tensors.infos[tensor]
        let memory = unsafe state.tensors.memory(of: tensor)
        let bytes = info.byteCount ?? 0
        guard memory.count >= bytes else { continue }
        unsafe observe(node, info, UnsafeRawBufferPointer(rebasing: memory[..<bytes]))
      }
    }
  }
}
