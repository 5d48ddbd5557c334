//===--- Graph.swift - a subgraph that may be rewritten -------------------===//
//
// The operators and tensors of one subgraph, checked for order: each tensor is written once and
// before it is read.
//
// Checked   Tests/MartletInferenceTests/GraphTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

/// One operator and its place in the file.
struct GraphNode {
  /// The operator's index in the file's subgraph: what errors and profiles name.
  let index: Int
  var operation: Operator
}

/// A subgraph's nodes in the order in which they run.
struct Graph {
  let tensors: [TensorDescription]
  let inputs: [Int]
  let outputs: [Int]
  var nodes: [GraphNode]
  /// For each tensor, whether the model's file holds its elements.
  let isConstant: [Bool]

  /// The graph of subgraph `index` of `model`.
  init(_ model: Model, subgraph index: Int) throws(InferenceError) {
    guard model.subgraphs.indices.contains(index) else {
      throw .noSuchSubgraph(index: index, count: model.subgraphs.count)
    }
    let subgraph = model.subgraphs[index]
    tensors = subgraph.tensors
    inputs = subgraph.inputs
    outputs = subgraph.outputs
    nodes = subgraph.operators.enumerated().map { GraphNode(index: $0, operation: $1) }
    var written = [Bool](repeating: false, count: tensors.count)
    for node in nodes { for output in node.operation.outputs { written[output] = true } }
    for input in inputs { written[input] = true }
    // A tensor without elements needs no data to be a constant: an empty shape, say.
    let holdsData = subgraph.tensors.map { !model.buffers[$0.buffer].isEmpty }
    isConstant = zip(subgraph.tensors, zip(written, holdsData)).map { tensor, state in
      !tensor.isVariable && !state.0 && (state.1 || tensor.shape.elementCount == 0)
    }
    try checkOrder(holdsData: holdsData)
  }

  private func checkOrder(holdsData: [Bool]) throws(InferenceError) {
    var written = tensors.indices.map { isConstant[$0] || tensors[$0].isVariable }
    for input in inputs { written[input] = true }
    for node in nodes {
      for input in node.operation.inputs where input >= 0 && !written[input] {
        throw .readBeforeWritten(node: node.index, tensor: input)
      }
      for output in node.operation.outputs {
        guard !written[output], !holdsData[output] else {
          throw .writtenTwice(node: node.index, tensor: output)
        }
        written[output] = true
      }
    }
    for output in outputs where !written[output] {
      throw .outputNeverWritten(tensor: output)
    }
  }

  /// For each tensor, the positions in `nodes` that read it, a position for each time it is read;
  /// being an output of the graph counts as being read behind the last node.
  func consumers() -> [[Int]] {
    var consumers = [[Int]](repeating: [], count: tensors.count)
    for (position, node) in nodes.enumerated() {
      for input in node.operation.inputs where input >= 0 { consumers[input].append(position) }
    }
    for output in outputs { consumers[output].append(nodes.count) }
    return consumers
  }
}
