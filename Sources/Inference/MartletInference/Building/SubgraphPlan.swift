//===--- SubgraphPlan.swift - prepared subgraph ---------------------------===//
//
// Everything known about a subgraph before it runs: its nodes with packed weights and folded
// tensors, and the offsets of its tensors in an arena. Each state has its own arena.
//
// Contract  Immutable: any number of states use it, on any threads.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

/// The caller's description of a subgraph's input.
struct Argument: Sendable, Equatable {
  /// The element type in the file.
  let type: ElementType
  let shape: Shape
  /// The elements, if they are the same in every run.
  var constant: Constant?
  /// What a tensor of type `resource` refers to.
  var resource: Resource?

  init(type: ElementType, shape: Shape) {
    self.type = type
    self.shape = shape
  }

  /// The description of a tensor without its elements.
  init(_ info: TensorInfo) {
    type = info.declaredType
    shape = info.shape
    resource = info.resource
  }

  /// The same without the elements.
  var withoutElements: Argument {
    var argument = self
    argument.constant = nil
    return argument
  }

  /// Elements that a plan or the model keeps alive, so that they are safe to read.
  @safe struct Constant: @unchecked Sendable, Equatable {
    let memory: UnsafeRawBufferPointer

    static func == (a: Constant, b: Constant) -> Bool {
      unsafe a.memory.baseAddress == b.memory.baseAddress && a.memory.count == b.memory.count
    }
  }
}

/// A subgraph's nodes, ready to run.
///
/// `@unchecked` because of the table's pointers, which point to constants that nothing writes, and
/// of the budget, which does not change after the model is prepared.
final class SubgraphPlan: @unchecked Sendable {
  /// The subgraph's index in the model.
  let index: Int
  /// The chain of calling subgraphs, from the outermost to this one.
  let path: [Int]
  /// The nodes after graph rewrites.
  let graph: Graph
  /// The tensors as known when the first segment is prepared.
  let tensors: TensorTable
  let first: Segment
  /// The memory and work that preparation has used.
  let budget: Budget
  /// The variable tensors, with their offsets in the memory shared by states.
  let variables: [(tensor: Int, offset: Int)]
  let variableByteCount: Int

  /// The variable tensors that do not start as zeros.
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

  /// Whether inputs and outputs have the same size in bytes in every run; strings may not.
  var hasFixedInterface: Bool {
    (graph.inputs + graph.outputs).allSatisfy {
      tensors.infos[$0].type != .string
    }
  }

  /// Prepares subgraph `index` for inputs described by `arguments`.
  ///
  /// If `ownsInputs`, the inputs are in the subgraph's own arena, which counts towards the limit;
  /// otherwise the caller provides both. `path` are the subgraphs that call this one.
  init(
    _ index: Int, arguments: [Argument], ownsInputs: Bool, path: [Int],
    in context: ModelContext, budget: Budget
  ) throws(InferenceError) {
    self.index = index
    self.path = path + [index]
    self.budget = budget
    var graph = try Graph(
      context.model, subgraph: index, inputTypes: arguments.map { $0.type },
      registry: context.registry)
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

  /// The offsets of variable tensors, which keep their values between runs.
  private static func variables(
    of graph: Graph, limit: Int
  ) throws(InferenceError) -> ([(tensor: Int, offset: Int)], Int) {
    var variables: [(tensor: Int, offset: Int)] = []
    var total = 0
    let inputs = Set(graph.inputs)
    for (index, tensor) in graph.tensors.enumerated()
    where tensor.isVariable && !inputs.contains(index) {
      let bytes = tensor.type.unpacked.byteCount(of: tensor.shape.elementCount) ?? Int.max
      guard bytes <= limit - total else {
        throw .tooLarge(node: 0, bytes: saturatingSum(total, bytes), limit: limit)
      }
      variables.append((index, total))
      total += Arena.aligned(bytes)
    }
    return (variables, total)
  }
}

extension TensorTable {
  /// Creates the tensors of a graph; known are constants and inputs that never change.
  fileprivate init(_ graph: Graph, _ arguments: [Argument], _ constants: ConstantStore) {
    var infos = graph.tensors.enumerated().map { index, tensor in
      TensorInfo(
        index: index, declaredType: graph.types[index], shape: tensor.shape,
        quantization: tensor.quantization, isConstant: graph.isConstant[index],
        quantizationDetails: tensor.details, isVariable: tensor.isVariable)
    }
    // The store and the arguments' owners outlive the table.
    var known = unsafe graph.tensors.enumerated().map { index, tensor in
      unsafe graph.isConstant[index] ? constants.memory(of: tensor) : nil
    }
    for (tensor, argument) in zip(graph.inputs, arguments) {
      infos[tensor] = TensorInfo(
        index: tensor, declaredType: argument.type, shape: argument.shape,
        quantization: infos[tensor].quantization, isConstant: argument.constant != nil,
        isVariable: infos[tensor].isVariable, resource: argument.resource)
      unsafe known[tensor] = argument.constant?.memory
    }
    unsafe self.init(infos, known: known)
  }
}

extension SubgraphPlan {
  /// The types, shapes and resources of the outputs.
  var results: [Argument] { graph.outputs.map { Argument(tensors.infos[$0]) } }

  /// Throws unless the subgraph has one result, a single boolean.
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
