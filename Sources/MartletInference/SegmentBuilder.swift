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
import MartletTensor

struct SegmentBuilder {
  var graph: Graph
  let registry: Registry
  let consumers: [[Int]]
  /// The position of the last node that reads each tensor.
  private var lastReaders: [Int?]
  let memoryLimit: Int
  /// The bytes taken so far by what counts towards the limit: copies of constants, variables,
  /// folded tensors and all segments' arenas.
  private var takenByteCount: Int
  /// The subgraph's tensors and what is known of their values, kept up to date by preparation.
  var preparation: Preparation
  /// Where each slot's memory is; tensors first, then scratch memory.
  var addresses: [UnsafeMutableRawPointer]
  /// How many bytes lie at each tensor's address; 0 for a tensor that has no memory yet.
  private(set) var byteCounts: [Int]
  /// What stands in `addresses` for scratch memory that has no place yet.
  private let placeholder: UnsafeMutableRawPointer
  /// Memory of tensors that were computed from constants.
  private(set) var folded: [Arena] = []
  private(set) var foldedByteCount = 0

  init(
    graph: Graph, registry: Registry, options: Interpreter.Options, file: [UInt8],
    memory: [UnsafeMutableRawBufferPointer?], placeholder: UnsafeMutableRawPointer,
    takenByteCount: Int, tensors: [TensorInfo], known: [UnsafeRawBufferPointer?]
  ) {
    self.graph = graph
    self.registry = registry
    self.consumers = graph.consumers()
    self.lastReaders = consumers.map { $0.last }
    self.memoryLimit = options.memoryLimit
    self.takenByteCount = takenByteCount
    self.addresses = memory.map { $0?.baseAddress ?? placeholder }
    self.byteCounts = memory.map { $0?.count ?? 0 }
    self.placeholder = placeholder
    self.preparation = Preparation(
      operation: Operator(code: .custom(""), inputs: [], outputs: []), node: 0,
      kernels: options.kernels, workerCount: options.workers.count, file: file,
      tensors: tensors, known: known)
  }

  /// Prepares nodes from `start` until the end or the first that needs a value not known yet.
  ///
  /// In mid-run all values that the node at `start` can ask for are known.
  mutating func segment(from start: Int, inMidRun: Bool) throws(InferenceError) -> Segment {
    var steps: [Step] = []
    var blocks = inMidRun ? [] : try inputBlocks()
    var position = start
    preparation.firstScratchSlot = addresses.count
    preparation.scratch = []
    while position < graph.nodes.count {
      if let fused = graph.fusedPadding(
        at: position, consumers: consumers, tensors: preparation.tensors,
        known: preparation.known)
      {
        graph.nodes[fused.position].operation = fused.operation
        let input = fused.operation.inputs[0]
        lastReaders[input] = max(lastReaders[input] ?? 0, fused.position)
        position += 1
        continue
      }
      let scratchBefore = preparation.scratch.count
      let evaluate: Evaluate
      do throws(InferenceError) {
        evaluate = try prepareNode(at: position)
      } catch .valueNotKnown where position > start || !inMidRun {
        preparation.scratch.removeSubrange(scratchBefore...)
        break
      }
      let node = graph.nodes[position]
      let scratch = preparation.scratch[scratchBefore...]
      if try fold(node, scratch, evaluate) {
        preparation.scratch.removeSubrange(scratchBefore...)
      } else {
        steps.append(Step(node: node.index, evaluate: evaluate))
        for size in scratch {
          addresses.append(placeholder)
          blocks.append(
            MemoryBlock(
              tensor: nil, offset: 0, byteCount: size, lifetime: position...position))
        }
        for tensor in node.operation.outputs {
          blocks.append(
            MemoryBlock(
              tensor: tensor, offset: 0, byteCount: try byteCount(ofTensor: tensor, in: node),
              lifetime: position...position))
        }
      }
      position += 1
    }
    return try place(blocks, steps: steps, positions: start..<position)
  }

  private mutating func prepareNode(at position: Int) throws(InferenceError) -> Evaluate {
    let node = graph.nodes[position]
    let registration = try registry.registration(for: node.operation, node: node.index)
    preparation.operation = node.operation
    preparation.node = node.index
    return try registration.prepare(&preparation)
  }

  private func byteCount(
    ofTensor tensor: Int, in node: GraphNode
  ) throws(InferenceError) -> Int {
    let info = preparation.tensors[tensor]
    guard info.type.bitWidth >= 8 else {
      let place = node.operation.outputs.firstIndex(of: tensor) ?? 0
      throw .unsupportedType(node: node.index, operand: .output(place), found: info.type)
    }
    guard let bytes = info.type.byteCount(of: info.shape.elementCount), bytes <= memoryLimit else {
      throw .tooLarge(node: node.index, bytes: Int.max, limit: memoryLimit)
    }
    return bytes
  }

  /// Counts memory towards the limit before it is taken.
  private mutating func take(_ bytes: Int, for node: Int) throws(InferenceError) {
    let (total, overflow) = takenByteCount.addingReportingOverflow(bytes)
    guard !overflow, total <= memoryLimit else {
      throw .tooLarge(node: node, bytes: overflow ? Int.max : total, limit: memoryLimit)
    }
    takenByteCount = total
  }

  /// The graph's inputs live as long as the interpreter.
  private func inputBlocks() throws(InferenceError) -> [MemoryBlock] {
    var blocks: [MemoryBlock] = []
    for (index, tensor) in graph.inputs.enumerated() {
      let info = preparation.tensors[tensor]
      guard info.type.bitWidth >= 8,
        let bytes = info.type.byteCount(of: info.shape.elementCount), bytes <= memoryLimit
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
  /// Runs a node whose inputs are all known, and keeps its outputs as constants; `false` if it has
  /// to run with the graph.
  private mutating func fold(
    _ node: GraphNode, _ scratchSizes: ArraySlice<Int>, _ evaluate: Evaluate
  ) throws(InferenceError) -> Bool {
    let inputs = node.operation.inputs.filter { $0 >= 0 }
    guard !inputs.isEmpty,
      inputs.allSatisfy({ preparation.tensors[$0].isConstant && preparation.known[$0] != nil }),
      !node.operation.outputs.isEmpty
    else { return false }
    for tensor in node.operation.outputs {
      let bytes = try byteCount(ofTensor: tensor, in: node)
      try take(Arena.aligned(bytes), for: node.index)
      foldedByteCount += bytes
      let arena = Arena(byteCount: bytes)
      folded.append(arena)
      addresses[tensor] = arena.base
      byteCounts[tensor] = bytes
      preparation.setConstant(tensor, UnsafeRawBufferPointer(start: arena.base, count: bytes))
    }
    let takenBefore = takenByteCount
    var scratch: [Arena] = []
    for size in scratchSizes {
      try take(Arena.aligned(size), for: node.index)
      scratch.append(Arena(byteCount: size))
    }
    addresses += scratch.map { $0.base }
    try addresses.withUnsafeBufferPointer { table throws(InferenceError) in
      guard let start = table.baseAddress else { return }
      try evaluate(Evaluation(addresses: start, workers: .serial))
    }
    addresses.removeLast(scratch.count)
    takenByteCount = takenBefore
    withExtendedLifetime(scratch) {}
    return true
  }
}

// MARK: - Placing

extension SegmentBuilder {
  /// Extends each block's life to its last reader, plans the arena and notes the addresses.
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
    let plan = MemoryPlan(
      zip(blocks, alive).map {
        MemoryRequest(byteCount: Arena.aligned($0.byteCount), lifetime: $1)
      })
    let node = positions.isEmpty ? 0 : graph.nodes[positions.lowerBound].index
    guard let plan else { throw .tooLarge(node: node, bytes: Int.max, limit: memoryLimit) }
    try take(plan.byteCount, for: node)
    let arena = Arena(byteCount: plan.byteCount)
    var slot = preparation.firstScratchSlot
    for (index, block) in blocks.enumerated() {
      let address = arena.base + plan.offsets[index]
      if let tensor = block.tensor {
        addresses[tensor] = address
        byteCounts[tensor] = block.byteCount
      } else {
        addresses[slot] = address
        slot += 1
      }
    }
    let placed = blocks.indices.map {
      MemoryBlock(
        tensor: blocks[$0].tensor, offset: plan.offsets[$0], byteCount: blocks[$0].byteCount,
        lifetime: alive[$0])
    }
    return Segment(positions: positions, steps: steps, arena: arena, blocks: placed)
  }
}
