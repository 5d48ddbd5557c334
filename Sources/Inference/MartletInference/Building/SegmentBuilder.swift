//===--- SegmentBuilder.swift - preparation of nodes ----------------------===//
//
// Processes the nodes in order: fuses paddings, prepares the node, and folds constants (see
// SegmentBuilder+Folding.swift). It stops at the first node that needs a value that is not known
// yet, and then plans the memory.
//
// Contract  Sizes are checked against `memoryLimit` before memory is allocated.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

/// Prepares the nodes of a subgraph, segment by segment.
struct SegmentBuilder {
  private(set) var graph: Graph
  private let consumers: [[Int]]
  /// The position of the last node that reads each tensor.
  private(set) var lastReaders: [Int?]
  /// The node in preparation and the subgraph's tensors, which preparation updates.
  var preparation: ControlPreparation

  /// Creates a builder of a graph; `tensors` has what is known of its tensors.
  init(
    graph: Graph, tensors: TensorTable, path: [Int], context: ModelContext, budget: Budget,
    variables: VariableStore? = nil
  ) {
    self.graph = graph
    consumers = graph.consumers()
    lastReaders = consumers.map { $0.last }
    let common = Preparation(
      operation: Operator(code: .custom(""), inputs: [], outputs: []), node: 0,
      kernels: context.options.kernels, workerCount: context.options.workers.count,
      file: context.model.bytes, tensors: tensors, budget: budget,
      subgraphs: context.model.subgraphs)
    preparation = ControlPreparation(
      common, context: context, path: path, variables: variables)
  }

  /// The subgraph's tensors, as far as known.
  var tensors: TensorTable { preparation.common.tensors }

  var budget: Budget { preparation.common.budget }

  /// Prepares nodes up to the end or the first one that needs a value that is not known yet. If
  /// `ownsInputs`, inputs are in the segment's arena, otherwise in the caller's memory.
  mutating func firstSegment(ownsInputs: Bool) throws(InferenceError) -> Segment {
    let segment = try segment(
      SegmentDraft(start: 0, inMidRun: false, blocks: ownsInputs ? try inputBlocks() : []))
    // A caller includes the arenas of its callees in its own.
    if ownsInputs { try take(segment) }
    return segment
  }

  /// Prepares nodes from `start` during a run, when all values that this node needs are known.
  mutating func nextSegment(from start: Int) throws(InferenceError) -> Segment {
    let segment = try segment(SegmentDraft(start: start, inMidRun: true, blocks: []))
    try take(segment)
    return segment
  }

  /// Reserves the memory of a segment.
  private func take(_ segment: Segment) throws(InferenceError) {
    let node = segment.positions.first.map { graph.nodes[$0].index } ?? 0
    try budget.take(segment.byteCount, for: node)
  }

  private mutating func segment(_ draft: SegmentDraft) throws(InferenceError) -> Segment {
    var draft = draft
    preparation.common.requirements = Requirements(firstScratchSlot: tensors.slotCount)
    while draft.end < graph.nodes.count, try addNode(to: &draft) {}
    return try place(draft)
  }

  /// Prepares the next node; returns `false` if the segment ends after it or before it.
  private mutating func addNode(to draft: inout SegmentDraft) throws(InferenceError) -> Bool {
    let position = draft.end
    try budget.checkCancellation(at: graph.nodes[position].index)
    if fusePadding(at: position) {
      draft.end += 1
      return true
    }
    let scratchBefore = preparation.common.requirements.scratch.count
    guard let work = try prepareNode(at: position, of: draft) else {
      preparation.common.requirements.removeScratch(from: scratchBefore)
      return false
    }
    let node = graph.nodes[position]
    let requirements = preparation.common.requirements
    let cost = max(
      node.traits.cost.work(
        of: node.operation, tensors.infos, kernels: preparation.common.kernels),
      requirements.statedWork)
    try budget.take(work: cost, for: node.index)
    if case .open = work {
      if preparation.isNext { draft.add(Step(node: node.index, work: work, firstCall: 0)) }
      return false
    }
    let scratch = requirements.scratch[scratchBefore...]
    if case .kernel(let evaluate) = work, isConstant(node), budget.fold(cost) {
      try fold(node, scratch, evaluate, into: &draft)
      preparation.common.requirements.removeScratch(from: scratchBefore)
      draft.addFolded(cost: cost)
    } else {
      draft.add(
        Step(
          node: node.index, work: work, stackByteCount: requirements.stackByteCount,
          firstCall: draft.callCount), cost: cost,
        blocks: try blocks(of: node, scratch, at: position))
    }
    return true
  }

  /// Whether a node's inputs are all constants, or it only uses their shapes.
  private func isConstant(_ node: GraphNode) -> Bool {
    let operation = node.operation
    let inputs = operation.inputs.filter { $0 >= 0 }
    guard !inputs.isEmpty, !operation.outputs.isEmpty else { return false }
    return operation.code == .builtin(.shape) || operation.code == .builtin(.rank)
      || inputs.allSatisfy { unsafe tensors.infos[$0].isConstant && tensors.known($0) != nil }
  }

  /// Returns the blocks of a node's scratch memory and results.
  private mutating func blocks(
    of node: GraphNode, _ scratch: ArraySlice<Int>, at position: Int
  ) throws(InferenceError) -> [MemoryBlock] {
    var blocks: [MemoryBlock] = []
    for size in scratch {
      unsafe preparation.common.tensors.addScratch()
      blocks.append(
        MemoryBlock(tensor: nil, offset: 0, byteCount: size, lifetime: position...position))
    }
    for tensor in node.operation.outputs where tensors.infos[tensor].type != .resource {
      blocks.append(
        MemoryBlock(
          tensor: tensor, offset: 0, byteCount: try byteCount(ofTensor: tensor, in: node),
          lifetime: position...position))
    }
    return blocks
  }

  /// Returns the size in bytes of a tensor that a node writes.
  func byteCount(
    ofTensor tensor: Int, in node: GraphNode
  ) throws(InferenceError) -> Int {
    let info = tensors.infos[tensor]
    guard info.type.bitWidth >= 8 else {
      let place = node.operation.outputs.firstIndex(of: tensor) ?? 0
      throw .unsupportedType(node: node.index, operand: .output(place), found: info.type)
    }
    let bytes = info.byteCount ?? Int.max
    guard bytes <= budget.limit, bytes < Int.max else {
      throw .tooLarge(node: node.index, bytes: bytes, limit: budget.limit)
    }
    return bytes
  }

  /// Merges a padding into the operator that reads its result; returns `false` if the node at
  /// `position` is not such a padding.
  private mutating func fusePadding(at position: Int) -> Bool {
    guard graph.nodes[position].operation.code == .builtin(.pad),
      let fused = graph.fusedPadding(at: position, consumers: consumers, tensors: tensors)
    else { return false }
    graph.nodes[fused.position].operation = fused.operation
    for tensor in graph.nodes[position].operation.inputs {
      preparation.common.noteRead(of: tensor)
    }
    let input = fused.operation.inputs[0]
    lastReaders[input] = max(lastReaders[input] ?? 0, fused.position)
    return true
  }

  /// Returns the work of the node at `position`, or `nil` if it depends on values not known yet.
  private mutating func prepareNode(
    at position: Int, of draft: SegmentDraft
  ) throws(InferenceError) -> Work? {
    preparation.isNext = draft.inMidRun && position == draft.start
    do throws(InferenceError) {
      return try prepareNode(graph.nodes[position])
    } catch {
      if case .valueNotKnown = error, !preparation.isNext { return nil }
      throw error
    }
  }

  private mutating func prepareNode(_ node: GraphNode) throws(InferenceError) -> Work {
    guard let context = preparation.context else { throw .options(node: node.index) }
    let implementation = try context.registry.implementation(
      of: node.operation, node: node.index)
    preparation.common.operation = node.operation
    preparation.common.node = node.index
    preparation.common.requirements.beginNode()
    try budget.expect(
      work: node.traits.cost.preparationWork(of: node.operation, tensors.infos), for: node.index)
    let work = try implementation.prepare(&preparation)
    // Without elements in the results there is no work, however large the other extents.
    if case .kernel = work, !node.operation.outputs.isEmpty,
      node.operation.outputs.allSatisfy({ tensors.infos[$0].shape.elementCount == 0 })
    {
      return .kernel { _ in }
    }
    return work
  }
}

/// A segment under construction.
struct SegmentDraft {
  let start: Int
  let inMidRun: Bool
  /// The position after the last node.
  var end: Int
  /// The blocks in the arena.
  private(set) var blocks: [MemoryBlock]
  private(set) var steps: [Step] = []
  /// The number of subgraphs that the steps call.
  private(set) var callCount = 0
  private(set) var cost = 0
  /// The memory of tensors that were computed from constants.
  var folded: [Arena] = []

  init(start: Int, inMidRun: Bool, blocks: [MemoryBlock]) {
    self.start = start
    self.inMidRun = inMidRun
    self.blocks = blocks
    end = start
  }

  /// Adds a node that runs.
  mutating func add(_ step: Step, cost: Int = 0, blocks: [MemoryBlock] = []) {
    steps.append(step)
    callCount += step.work.calls.count
    self.blocks += blocks
    self.cost = saturatingSum(self.cost, cost)
    end += 1
  }

  /// Adds a node that was computed from constants; during a run this is repeated for each run.
  mutating func addFolded(cost: Int) {
    if inMidRun { self.cost = saturatingSum(self.cost, cost) }
    end += 1
  }
}
