//===--- SubgraphPlan.swift - a subgraph, prepared ------------------------===//
//
// What can be known of a subgraph before it runs: its nodes with packed weights and folded tensors,
// and where its tensors lie in an arena. States bring the arena.
//
// Contract  Never changes once made: any number of states use it, on any threads.
// Checked   Tests/MartletInferenceTests/PreparedModelTests.swift, ControlFlowTests.swift
//===----------------------------------------------------------------------===//

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
  /// The variable that a tensor of type resource stands for.
  var resource: Int?

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
/// Unchecked because of the builder's pointers, which lead to constants that nobody writes.
final class SubgraphPlan: @unchecked Sendable {
  /// The subgraph's index in the model.
  let index: Int
  /// The builder as it stood when the first segment was done; later segments start from a copy.
  let builder: SegmentBuilder
  let first: Segment
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

  var graph: Graph { builder.graph }

  /// Whether all shapes are fixed.
  var isFixed: Bool { first.positions.upperBound == builder.graph.nodes.count }

  /// Whether inputs and outputs take as many bytes in every run: strings need not.
  var hasFixedInterface: Bool {
    (graph.inputs + graph.outputs).allSatisfy {
      builder.preparation.tensors[$0].type != .string
    }
  }

  /// Prepares subgraph `index` for inputs that `arguments` describe.
  ///
  /// `ownsInputs` says whether inputs have memory in the subgraph's own arena, which then counts
  /// towards the limit, or the caller gives both. `path` are the subgraphs that call this one.
  init(
    _ index: Int, arguments: [Argument], ownsInputs: Bool, path: [Int],
    in context: PreparationContext, ledger: Ledger
  ) throws(InferenceError) {
    self.index = index
    var graph = try Graph(
      context.model, subgraph: index, inputTypes: arguments.map { $0.type })
    graph.fuseActivations()
    var tensors = graph.tensors.enumerated().map { index, tensor in
      TensorInfo(
        index: index, declaredType: graph.types[index], shape: tensor.shape,
        quantization: tensor.quantization, isConstant: graph.isConstant[index],
        quantizationDetails: tensor.details, isVariable: tensor.isVariable)
    }
    var known = graph.tensors.enumerated().map { index, tensor in
      graph.isConstant[index] ? context.constants.memory(of: tensor) : nil
    }
    for (tensor, argument) in zip(graph.inputs, arguments) {
      tensors[tensor] = TensorInfo(
        index: tensor, declaredType: argument.type, shape: argument.shape,
        quantization: tensors[tensor].quantization, isConstant: argument.constant != nil,
        isVariable: tensors[tensor].isVariable)
      known[tensor] = argument.constant?.memory
    }
    (variables, variableByteCount) = try SubgraphPlan.variables(of: graph, limit: ledger.limit)
    try ledger.takeVariableTensors(variableByteCount, ofSubgraph: index)
    var builder = SegmentBuilder(
      graph: graph, context: context, ledger: ledger, path: path + [index],
      ownsInputs: ownsInputs, tensors: tensors, known: known)
    for (tensor, argument) in zip(graph.inputs, arguments) {
      builder.preparation.resources[tensor] = argument.resource
    }
    first = try builder.segment(from: 0, inMidRun: false)
    self.builder = builder
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
