//===--- NodeSummary.swift - a prepared node in a few words ---------------===//
//
// What `inspect`, profiles and benchmarks say of a node: its operator, its shapes, its work.
//
// Checked   Tests/MartletInferenceTests/NodeSummaryTests.swift
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletModel
import MartletTensor

/// A node that runs, after rewriting.
package struct NodeSummary: Sendable {
  /// The operator's index in the file's subgraph.
  package let index: Int
  package let name: String
  package let type: ElementType?
  package let inputs: [Shape]
  package let outputs: [Shape]
  /// How many multiplications with weights it takes; 0 for operators without weights.
  package let multiplyAdds: Int

  /// The operator and its shapes, in one line: equal for nodes that do the same work.
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
    multiplyAdds = NodeSummary.multiplyAdds(
      node.operation, node.operation.inputs.map { $0 < 0 ? nil : tensors[$0].shape }, outputs)
  }

  private static func multiplyAdds(
    _ operation: Operator, _ inputs: [Shape?], _ outputs: [Shape]
  ) -> Int {
    guard case .builtin(let builtin) = operation.code, inputs.count > 1, let output = outputs.first,
      let filter = inputs[1]
    else { return 0 }
    switch builtin {
    case .conv2D where filter.rank == 4:
      return output.elementCount &* filter.product(1..<4)
    case .conv3D where filter.rank == 5:
      return output.elementCount &* filter.product(0..<4)
    case .depthwiseConv2D where filter.rank == 4:
      return output.elementCount &* filter.product(1..<3)
    case .fullyConnected where filter.rank == 2:
      return output.elementCount &* filter[1]
    case .transposeConv where inputs.count > 2 && filter.rank == 4:
      return (inputs[2]?.elementCount ?? 0) &* filter[0] &* filter.product(1..<3)
    case .batchMatmul where filter.rank > 1:
      guard case .batchMatMul(let options) = operation.options else { return 0 }
      return output.elementCount &* filter[filter.rank - (options.adjointY ? 1 : 2)]
    // The form with five inputs joins all matrices in one.
    case .lstm where inputs.count == 5: return rows(output, through: [2], inputs)
    case .lstm, .unidirectionalSequenceLstm:
      return rows(output, through: Array(1...8) + [16], inputs)
    case .unidirectionalSequenceRnn, .rnn, .svdf: return rows(output, through: [1, 2], inputs)
    default:
      return 0
    }
  }

  /// The work of recurrent layers, each of whose rows goes through these matrices once.
  private static func rows(
    _ output: Shape, through matrices: [Int], _ inputs: [Shape?]
  ) -> Int {
    guard output.rank > 0 else { return 0 }
    let weights = matrices.reduce(0) {
      $0 &+ ($1 < inputs.count ? inputs[$1]?.elementCount ?? 0 : 0)
    }
    return output.product(0..<output.rank - 1) &* weights
  }
}

extension NodeSummary {
  /// The operators of a subgraph with the shapes that the file states, whether they can run or not.
  package static func stated(_ subgraph: Subgraph) -> [NodeSummary] {
    let tensors = subgraph.tensors.enumerated().map { TensorInfo($0, $1, isConstant: false) }
    return subgraph.operators.enumerated().map {
      NodeSummary(GraphNode(index: $0, operation: $1), tensors: tensors)
    }
  }
}

extension Interpreter {
  /// The nodes that run, in order, as far as their shapes are fixed.
  package var nodeSummaries: [NodeSummary] {
    let running = Set(first.steps.map { $0.node })
    return plan.graph.nodes.filter { running.contains($0.index) }
      .map { NodeSummary($0, tensors: plan.tensors.infos) }
  }

  /// How many multiplications with weights one run takes.
  package var multiplyAdds: Int { nodeSummaries.reduce(0) { $0 &+ $1.multiplyAdds } }
}

extension Interpreter {
  /// Runs the graph once and calls `look` with each result of a node as soon as that has run, while
  /// it is whole; `node` is the operator's index in the file. What rewrites merge has the result of
  /// the last of its operators alone.
  package func invoke(
    lookingAtResults look: (
      _ node: Int, _ tensor: TensorInfo, _ memory: UnsafeRawBufferPointer
    ) -> Void
  ) throws(InferenceError) {
    var outputs: [Int: [Int]] = [:]
    for node in plan.graph.nodes { outputs[node.index] = node.operation.outputs }
    try invoke { node, done in
      guard done else { return }
      for tensor in outputs[node] ?? [] {
        let info = state.tensors.infos[tensor]
        let memory = state.tensors.memory(of: tensor)
        let bytes = info.byteCount ?? 0
        guard memory.count >= bytes else { continue }
        look(node, info, UnsafeRawBufferPointer(rebasing: memory[..<bytes]))
      }
    }
  }
}
