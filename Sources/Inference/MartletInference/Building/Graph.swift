//===--- Graph.swift - nodes and tensors of a subgraph --------------------===//
//
// The operators and tensors of one subgraph. Each tensor is written once, before it is read.
//
// Contract  `types` are the tensors' types when the graph runs. If a file declares another type for
//           the result of an operator that keeps its operand's type, the operand's type is used, as
//           in LiteRT. Input types set by a caller take precedence too.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

/// One operator, its traits, and its index in the file.
struct GraphNode {
  /// The operator's index in the file's subgraph, used in errors and profiles.
  let index: Int
  var operation: Operator
  let traits: OperatorTraits
}

/// A subgraph's nodes in execution order.
struct Graph {
  let tensors: [TensorDescription]
  /// The type of each tensor's elements when the graph runs.
  let types: [ElementType]
  let inputs: [Int]
  let outputs: [Int]
  var nodes: [GraphNode]
  /// Whether each tensor is a constant.
  let isConstant: [Bool]

  /// Creates the graph of subgraph `index` of `model`, with the operators of `registry`; `inputTypes`
  /// replace the types in the file.
  init(
    _ model: Model, subgraph index: Int, inputTypes: [ElementType]? = nil,
    registry: Registry = .builtin
  ) throws(InferenceError) {
    guard model.subgraphs.indices.contains(index) else {
      throw .noSuchSubgraph(index: index, count: model.subgraphs.count)
    }
    let subgraph = model.subgraphs[index]
    tensors = subgraph.tensors
    inputs = subgraph.inputs
    outputs = subgraph.outputs
    nodes = subgraph.operators.enumerated().map {
      GraphNode(index: $0, operation: $1, traits: registry.traits(of: $1))
    }
    types = subgraph.types(inputs: inputTypes, nodes)
    var written = [Bool](repeating: false, count: tensors.count)
    for node in nodes { for output in node.operation.outputs { written[output] = true } }
    for input in inputs { written[input] = true }
    // A tensor without elements is a constant even without data, for example one with an empty
    // shape.
    let holdsData = subgraph.tensors.map { !model.buffers[$0.buffer].isEmpty }
    isConstant = zip(subgraph.tensors, zip(written, holdsData)).map { tensor, state in
      !tensor.isVariable && !state.0 && (state.1 || tensor.shape.elementCount == 0)
    }
    do throws(InferenceError) { try checkOrder(holdsData: holdsData) } catch {
      // Compilers for accelerators break the order of tensors; the name of their operator says more.
      for node in nodes { _ = try registry.implementation(of: node.operation, node: node.index) }
      throw error
    }
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

  /// For each tensor, the positions in `nodes` that read it, once per read. For outputs of the
  /// graph it also contains `nodes.count`.
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
  /// The type of each tensor if the subgraph's inputs have these types.
  fileprivate func types(inputs given: [ElementType]?, _ nodes: [GraphNode]) -> [ElementType] {
    var types = tensors.map { $0.type }
    for (input, type) in zip(inputs, given ?? []) { types[input] = type }
    for node in nodes {
      let operation = node.operation
      guard let place = node.traits.typeOperand, place < operation.inputs.count,
        operation.inputs[place] >= 0
      else { continue }
      for output in operation.outputs { types[output] = types[operation.inputs[place]] }
    }
    return types
  }
}
