//===--- SegmentBuilder.swift - preparing nodes and placing their memory --===//
//
// Goes through the nodes in order: rewrites paddings, prepares, computes at once what depends on
// constants alone (float16 weights through DEQUANTIZE, sparse ones through DENSIFY, shapes), and
// stops at the first node that needs a value which is not there yet. Then it plans the memory.
//
// Contract  Nothing is allocated before its size is checked against `memoryLimit`.
// Checked   Tests/MartletInferenceTests/InterpreterTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletRuntime

struct SegmentBuilder {
  var graph: Graph
  let consumers: [[Int]]
  /// The position of the last node that reads each tensor.
  private var lastReaders: [Int?]
  /// The subgraph's tensors and what is known of their values, kept up to date by preparation.
  var preparation: Preparation
  /// Where each slot's memory is; tensors first, then scratch memory.
  var addresses: [UnsafeMutableRawPointer]
  /// How many bytes lie at each tensor's address; 0 for a tensor that has no memory yet.
  var byteCounts: [Int]
  /// What stands in `addresses` for memory that has no place yet.
  private let placeholder: UnsafeMutableRawPointer
  /// Memory of tensors that were computed from constants.
  private(set) var folded: [Arena] = []
  /// Whether the inputs have memory in the first segment's arena, or that of a caller.
  private let ownsInputs: Bool

  init(
    graph: Graph, context: PreparationContext, ledger: Ledger, path: [Int], ownsInputs: Bool,
    tensors: [TensorInfo], known: [UnsafeRawBufferPointer?]
  ) {
    self.graph = graph
    self.consumers = graph.consumers()
    self.lastReaders = consumers.map { $0.last }
    let placeholder = context.placeholder.base
    self.addresses = known.map {
      UnsafeMutableRawPointer(mutating: $0?.baseAddress) ?? placeholder
    }
    self.byteCounts = known.map { $0?.count ?? 0 }
    self.placeholder = placeholder
    self.ownsInputs = ownsInputs
    self.preparation = Preparation(
      operation: Operator(code: .custom(""), inputs: [], outputs: []), node: 0,
      kernels: context.options.kernels, workerCount: context.options.workers.count,
      file: context.model.bytes, tensors: tensors, known: known, context: context, ledger: ledger,
      path: path)
  }

  /// Prepares nodes from `start` until the end or the first that needs a value not known yet.
  ///
  /// In mid-run all values that the node at `start` can ask for are known.
  mutating func segment(from start: Int, inMidRun: Bool) throws(InferenceError) -> Segment {
    var steps: [Step] = []
    var blocks = inMidRun || !ownsInputs ? [] : try inputBlocks()
    var position = start
    var callCount = 0
    var cost = 0
    preparation.firstScratchSlot = addresses.count
    preparation.scratch = []
    while position < graph.nodes.count {
      if fusePadding(at: position) {
        position += 1
        continue
      }
      let scratchBefore = preparation.scratch.count
      preparation.isNext = inMidRun && position == start
      let work: Work
      do throws(InferenceError) {
        work = try prepareNode(at: position)
      } catch .valueNotKnown where position > start || !inMidRun {
        preparation.scratch.removeSubrange(scratchBefore...)
        break
      }
      let node = graph.nodes[position]
      let nodeCost = max(node.operation.cost(preparation.tensors), preparation.statedWork)
      try preparation.ledger.take(work: nodeCost, for: node.index)
      if case .open = work {
        if preparation.isNext {
          steps.append(Step(node: node.index, work: work, firstCall: 0))
          position += 1
        }
        break
      }
      let scratch = preparation.scratch[scratchBefore...]
      if case .kernel(let evaluate) = work, try fold(node, scratch, evaluate) {
        preparation.scratch.removeSubrange(scratchBefore...)
        if inMidRun { cost = sum(cost, nodeCost) }
      } else {
        cost = sum(cost, nodeCost)
        steps.append(
          Step(
            node: node.index, work: work, stackByteCount: preparation.stackByteCount,
            firstCall: callCount))
        callCount += work.calls.count
        blocks += try self.blocks(of: node, scratch, at: position)
      }
      position += 1
    }
    var segment = try place(blocks, steps: steps, positions: start..<position)
    segment.cost = cost
    // A caller books the arenas of what it calls with its own.
    if ownsInputs || inMidRun {
      let node = segment.positions.isEmpty ? 0 : graph.nodes[start].index
      try preparation.ledger.take(segment.byteCount, for: node)
    }
    return segment
  }

  /// Lets the reader of a padded image do the padding; `false` where the node at `position` is no
  /// such padding.
  private mutating func fusePadding(at position: Int) -> Bool {
    guard
      let fused = graph.fusedPadding(
        at: position, consumers: consumers, tensors: preparation.tensors, known: preparation.known)
    else { return false }
    graph.nodes[fused.position].operation = fused.operation
    for tensor in graph.nodes[position].operation.inputs { preparation.noteRead(of: tensor) }
    let input = fused.operation.inputs[0]
    lastReaders[input] = max(lastReaders[input] ?? 0, fused.position)
    return true
  }

  private mutating func prepareNode(at position: Int) throws(InferenceError) -> Work {
    let node = graph.nodes[position]
    guard let context = preparation.context else { throw .options(node: node.index) }
    let registration = try context.registry.registration(
      for: node.operation, node: node.index)
    preparation.operation = node.operation
    preparation.node = node.index
    preparation.statedWork = 0
    preparation.stackByteCount = 0
    try preparation.ledger.expect(
      work: node.operation.costOfInputs(preparation.tensors), for: node.index)
    let work = try registration.prepare(&preparation)
    // Without results there is nothing to do, however large the other extents.
    if case .kernel = work, !node.operation.outputs.isEmpty,
      node.operation.outputs.allSatisfy({ preparation.tensors[$0].shape.elementCount == 0 })
    {
      return .kernel { _ in }
    }
    return work
  }

  /// The memory that a node needs while it runs and for its results.
  private mutating func blocks(
    of node: GraphNode, _ scratch: ArraySlice<Int>, at position: Int
  ) throws(InferenceError) -> [MemoryBlock] {
    var blocks: [MemoryBlock] = []
    for size in scratch {
      addresses.append(placeholder)
      blocks.append(
        MemoryBlock(tensor: nil, offset: 0, byteCount: size, lifetime: position...position))
    }
    for tensor in node.operation.outputs where preparation.tensors[tensor].type != .resource {
      blocks.append(
        MemoryBlock(
          tensor: tensor, offset: 0, byteCount: try byteCount(ofTensor: tensor, in: node),
          lifetime: position...position))
    }
    return blocks
  }

  private func byteCount(
    ofTensor tensor: Int, in node: GraphNode
  ) throws(InferenceError) -> Int {
    let info = preparation.tensors[tensor]
    guard info.type.bitWidth >= 8 else {
      let place = node.operation.outputs.firstIndex(of: tensor) ?? 0
      throw .unsupportedType(node: node.index, operand: .output(place), found: info.type)
    }
    let limit = preparation.ledger.limit
    guard let bytes = info.type.byteCount(of: info.shape.elementCount), bytes <= limit else {
      throw .tooLarge(node: node.index, bytes: Int.max, limit: limit)
    }
    return bytes
  }

  /// The graph's inputs live as long as the interpreter.
  private func inputBlocks() throws(InferenceError) -> [MemoryBlock] {
    var blocks: [MemoryBlock] = []
    for (index, tensor) in graph.inputs.enumerated() {
      let info = preparation.tensors[tensor]
      // Strings have memory of their own, whenever they are set; resources need none.
      if info.type == .string || info.type == .resource { continue }
      guard info.type.bitWidth >= 8,
        let bytes = info.type.byteCount(of: info.shape.elementCount),
        bytes <= preparation.ledger.limit
      else { throw .invalidShape(index: index, found: info.shape.dimensions) }
      blocks.append(
        MemoryBlock(
          tensor: tensor, offset: 0, byteCount: bytes, lifetime: 0...graph.nodes.count))
    }
    return blocks
  }
}

// MARK: - Computing constants

extension SegmentBuilder {
  /// Runs a node whose inputs are all known, or of which only the shapes matter, and keeps its
  /// outputs as constants; `false` if it has to run with the graph.
  private mutating func fold(
    _ node: GraphNode, _ scratchSizes: ArraySlice<Int>, _ evaluate: Evaluate
  ) throws(InferenceError) -> Bool {
    let inputs = node.operation.inputs.filter { $0 >= 0 }
    let isKnown =
      node.operation.code.looksAtShapesAlone
      || inputs.allSatisfy { preparation.tensors[$0].isConstant && preparation.known[$0] != nil }
    guard !inputs.isEmpty, isKnown, !node.operation.outputs.isEmpty else { return false }
    let ledger = preparation.ledger
    for tensor in node.operation.outputs {
      let bytes = try byteCount(ofTensor: tensor, in: node)
      try ledger.take(Arena.aligned(bytes), for: node.index)
      ledger.folded += bytes
      let arena = Arena(byteCount: bytes)
      folded.append(arena)
      addresses[tensor] = arena.base
      byteCounts[tensor] = bytes
      preparation.setConstant(tensor, UnsafeRawBufferPointer(start: arena.base, count: bytes))
    }
    let use = ledger.use
    var scratch: [Arena] = []
    for size in scratchSizes {
      try ledger.take(Arena.aligned(size), for: node.index)
      scratch.append(Arena(byteCount: size))
    }
    addresses += scratch.map { $0.base }
    try addresses.withUnsafeBufferPointer { table throws(InferenceError) in
      guard let start = table.baseAddress else { return }
      try Evaluation(addresses: start, workers: .serial)
        .run(evaluate, stackByteCount: preparation.stackByteCount)
    }
    addresses.removeLast(scratch.count)
    ledger.use = use
    withExtendedLifetime(scratch) {}
    return true
  }
}

// MARK: - Placing

extension SegmentBuilder {
  /// Extends each block's life to its last reader and plans the arena.
  private mutating func place(
    _ blocks: [MemoryBlock], steps: [Step], positions: Range<Int>
  ) throws(InferenceError) -> Segment {
    let alive = blocks.map { block -> ClosedRange<Int> in
      guard let tensor = block.tensor else { return block.lifetime }
      let last = lastReaders[tensor] ?? block.lifetime.lowerBound
      return block.lifetime
        .lowerBound...max(
          block.lifetime.upperBound, min(last, positions.upperBound))
    }
    let plan = sharedBlocks(blocks, alive).plan(blocks)
    guard let plan else {
      let node = positions.isEmpty ? 0 : graph.nodes[positions.lowerBound].index
      throw .tooLarge(node: node, bytes: Int.max, limit: preparation.ledger.limit)
    }
    let placed = blocks.indices.map {
      MemoryBlock(
        tensor: blocks[$0].tensor, offset: plan.offsets[$0], byteCount: blocks[$0].byteCount,
        lifetime: alive[$0])
    }
    return Segment(
      positions: positions, steps: steps, byteCount: plan.byteCount, blocks: placed,
      firstScratchSlot: preparation.firstScratchSlot)
  }

  /// Which blocks may lie in the same place though their lives meet.
  private func sharedBlocks(
    _ blocks: [MemoryBlock], _ alive: [ClosedRange<Int>]
  ) -> SharedBlocks {
    let indices = { (tensors: Set<Int>) in
      Set(blocks.indices.filter { blocks[$0].tensor.map { tensors.contains($0) } ?? false })
    }
    return SharedBlocks(
      blocks, lifetimes: alive,
      widths: blocks.map { $0.tensor.map { preparation.tensors[$0].type.bitWidth } ?? 8 },
      sharings: preparation.sharings, inputs: indices(Set(graph.inputs)),
      outputs: indices(Set(graph.outputs)))
  }

  /// Notes where a segment's blocks are when its arena begins at `base`.
  mutating func bind(_ segment: Segment, to base: UnsafeMutableRawPointer) {
    var slot = segment.firstScratchSlot
    for block in segment.blocks {
      let address = base + block.offset
      if let tensor = block.tensor {
        addresses[tensor] = address
        byteCounts[tensor] = block.byteCount
      } else {
        addresses[slot] = address
        slot += 1
      }
    }
  }

  /// Notes that a segment has run: what later nodes read of it is known from now on.
  mutating func noteComputed(by segment: Segment) {
    for block in segment.blocks {
      guard let tensor = block.tensor, block.lifetime.upperBound >= segment.positions.upperBound
      else { continue }
      preparation.known[tensor] = UnsafeRawBufferPointer(
        start: addresses[tensor], count: block.byteCount)
    }
  }
}

extension OperatorCode {
  /// Whether an operator's results depend on its operands' shapes, not on their elements.
  fileprivate var looksAtShapesAlone: Bool {
    self == .builtin(.shape) || self == .builtin(.rank)
  }
}
