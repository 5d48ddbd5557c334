//===--- SubgraphPlan.swift - a subgraph, prepared ------------------------===//
//
// What can be known of a subgraph before it runs: its nodes with packed weights and folded tensors,
// and where its tensors lie in an arena. States bring the arena.
//
// Contract  Never changes once made: any number of states use it, on any threads.
// Checked   Tests/MartletInferenceTests/PreparedModelTests.swift, ControlFlowTests.swift
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletModel
import MartletRuntime
import MartletTensor

/// What a caller says of a subgraph's input.
struct Argument: Sendable, Equatable {
  /// The type that the file gives the elements.
  let type: ElementType
  let shape: Shape
  /// The elements, where they are the same in every run.
  var constant: Constant?
  /// What a tensor of type resource stands for.
  var resource: Resource?

  init(type: ElementType, shape: Shape) {
    self.type = type
    self.shape = shape
  }

  /// What a tensor is to a subgraph, but for its elements.
  init(_ info: TensorInfo) {
    type = info.declaredType
    shape = info.shape
    resource = info.resource
  }

  /// The same where only type, shape and variable are fixed.
  var withoutElements: Argument {
    var argument = self
    argument.constant = nil
    return argument
  }

  /// Elements that a plan, or the model, keeps alive.
  struct Constant: @unchecked Sendable, Equatable {
    let memory: UnsafeRawBufferPointer

    static func == (a: Constant, b: Constant) -> Bool {
      a.memory.baseAddress == b.memory.baseAddress && a.memory.count == b.memory.count
    }
  }
}

/// A subgraph's nodes, ready to run.
///
/// Unchecked because of the table's pointers, which lead to constants that nobody writes, and of the
/// budget, which nobody changes once the model is prepared.
final class SubgraphPlan: @unchecked Sendable {
  /// The subgraph's index in the model.
  let index: Int
  /// The subgraphs that are in the course of being called, from the outermost to this one.
  let path: [Int]
  /// The nodes, rewritten.
  let graph: Graph
  /// The tensors as they are known when the first segment is prepared.
  let tensors: TensorTable
  let first: Segment
  /// What the preparation has taken.
  let budget: Budget
  /// The variable tensors, with their offsets in the memory that states share.
  let variables: [(tensor: Int, offset: Int)]
  let variableByteCount: Int

  /// The variable tensors that do not begin as zeros.
  var variableFills: [VariableFill] {
    variables.compactMap { index, offset in
      let tensor = graph.tensors[index]
      guard tensor.type == .int8, let map = tensor.quantization else { return nil }
      return VariableFill(
        offset: offset, byteCount: tensor.shape.elementCount,
        byte: Int8(truncatingIfNeeded: map.zeroPoint))
    }
  }

  /// Whether all shapes are fixed.
  var isFixed: Bool { first.positions.upperBound == graph.nodes.count }

  /// Whether inputs and outputs take as many bytes in every run: strings need not.
  var hasFixedInterface: Bool {
    (graph.inputs + graph.outputs).allSatisfy {
      tensors.infos[$0].type != .string
    }
  }

  /// Prepares subgraph `index` for inputs that `arguments` describe.
  ///
  /// `ownsInputs` says whether inputs have memory in the subgraph's own arena, which then counts
  /// towards the limit, or the caller gives both. `path` are the subgraphs that call this one.
  init(
    _ index: Int, arguments: [Argument], ownsInputs: Bool, path: [Int],
    in context: ModelContext, budget: Budget
  ) throws(InferenceError) {
    self.index = index
    self.path = path + [index]
    self.budget = budget
    var graph = try Graph(
      context.model, subgraph: index, inputTypes: arguments.map { $0.type })
    graph.fuseActivations()
    (variables, variableByteCount) = try SubgraphPlan.variables(of: graph, limit: budget.limit)
    try budget.takeVariableTensors(variableByteCount, ofSubgraph: index)
    var builder = SegmentBuilder(
      graph: graph, tensors: TensorTable(graph, arguments, context.constants), path: self.path,
      context: context, budget: budget)
    first = try builder.firstSegment(ownsInputs: ownsInputs)
    self.graph = builder.graph
    tensors = builder.tensors
  }

  /// Where variable tensors lie, which keep their values from run to run.
  private static func variables(
    of graph: Graph, limit: Int
  ) throws(InferenceError) -> ([(tensor: Int, offset: Int)], Int) {
    var variables: [(tensor: Int, offset: Int)] = []
    var total = 0
    let inputs = Set(graph.inputs)
    for (index, tensor) in graph.tensors.enumerated()
    where tensor.isVariable && !inputs.contains(index) {
      guard let bytes = tensor.type.unpacked.byteCount(of: tensor.shape.elementCount),
        bytes <= limit - total
      else { throw .tooLarge(node: 0, bytes: Int.max, limit: limit) }
      variables.append((index, total))
      total += Arena.aligned(bytes)
    }
    return (variables, total)
  }
}

extension TensorTable {
  /// The tensors of a graph, of which constants are known and those inputs that never change.
  fileprivate init(_ graph: Graph, _ arguments: [Argument], _ constants: ConstantStore) {
    var infos = graph.tensors.enumerated().map { index, tensor in
      TensorInfo(
        index: index, declaredType: graph.types[index], shape: tensor.shape,
        quantization: tensor.quantization, isConstant: graph.isConstant[index],
        quantizationDetails: tensor.details, isVariable: tensor.isVariable)
    }
    var known = graph.tensors.enumerated().map { index, tensor in
      graph.isConstant[index] ? constants.memory(of: tensor) : nil
    }
    for (tensor, argument) in zip(graph.inputs, arguments) {
      infos[tensor] = TensorInfo(
        index: tensor, declaredType: argument.type, shape: argument.shape,
        quantization: infos[tensor].quantization, isConstant: argument.constant != nil,
        isVariable: infos[tensor].isVariable, resource: argument.resource)
      known[tensor] = argument.constant?.memory
    }
    self.init(infos, known: known)
  }
}

extension SubgraphPlan {
  /// Types, shapes and variables of the outputs.
  var results: [Argument] { graph.outputs.map { Argument(tensors.infos[$0]) } }

  /// Throws unless the subgraph has one result, and that a boolean.
  func expectCondition(_ tensors: TensorTable, node: Int) throws(InferenceError) {
    guard graph.outputs.count == 1 else {
      throw .operandCount(node: node, found: graph.outputs.count, expected: 1...1)
    }
    let result = tensors.infos[graph.outputs[0]]
    guard result.type == .bool else {
      throw .type(node: node, operand: .output(0), found: result.type, expected: .bool)
    }
    guard result.shape.elementCount == 1 else {
      throw .elementCount(
        node: node, operand: .output(0), found: result.shape.elementCount, expected: 1)
    }
  }
}
