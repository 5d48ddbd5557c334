//===--- Graph.swift - nodes and tensors of a subgraph --------------------===//
//
// The operators and tensors of one subgraph, checked for order: each tensor is written once and
// before it is read.
//
// Contract  `types` are what the tensors hold when the graph runs. Where a file declares another
//           type for the result of an operator that gives its operand's type, the operand counts, as
//           in LiteRT; so does what a caller passes to a subgraph.
//
// Checked   Tests/MartletInferenceTests/GraphTests.swift
//===----------------------------------------------------------------------===//

import MartletGraph
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
  /// The type of each tensor's elements.
  let types: [ElementType]
  let inputs: [Int]
  let outputs: [Int]
  var nodes: [GraphNode]
  /// For each tensor, whether the model's file holds its elements.
  let isConstant: [Bool]

  /// The graph of subgraph `index` of `model`, with inputs of types that a caller may have changed.
  init(
    _ model: Model, subgraph index: Int, inputTypes: [ElementType]? = nil
  ) throws(InferenceError) {
    guard model.subgraphs.indices.contains(index) else {
      throw .noSuchSubgraph(index: index, count: model.subgraphs.count)
    }
    let subgraph = model.subgraphs[index]
    tensors = subgraph.tensors
    types = subgraph.types(inputs: inputTypes)
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

extension Subgraph {
  /// The type of each tensor when the subgraph is given inputs of these types.
  fileprivate func types(inputs given: [ElementType]?) -> [ElementType] {
    var types = tensors.map { $0.type }
    for (input, type) in zip(inputs, given ?? []) { types[input] = type }
    for operation in operators {
      guard case .builtin(let builtin) = operation.code,
        let place = builtin.operandThatGivesTheType, place < operation.inputs.count,
        operation.inputs[place] >= 0
      else { continue }
      for output in operation.outputs { types[output] = types[operation.inputs[place]] }
    }
    return types
  }
}

extension BuiltinOperator {
  /// The operand whose type LiteRT gives the results of this operator, whatever the file declares;
  /// `nil` for operators that refuse a result of another type.
  fileprivate var operandThatGivesTheType: Int? {
    switch self {
    case .add, .sub, .mul, .div, .maximum, .minimum, .squaredDifference, .floorDiv, .floorMod, .pow,
      .addN, .exp, .neg, .floor, .ceil, .round, .gather, .gatherNd, .tile, .reverseV2, .splitV,
      .zerosLike:
      0
    case .select, .selectV2, .split, .fill: 1
    default: nil
    }
  }
}
