//===--- SegmentBuilder+Placing.swift - memory of a segment ---------------===//
//
// The lifetimes of a segment's blocks of memory, and their offsets in the arena.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletOperators

extension SegmentBuilder {
  /// The blocks of the graph's inputs, which live as long as the interpreter.
  func inputBlocks() throws(InferenceError) -> [MemoryBlock] {
    var blocks: [MemoryBlock] = []
    for (index, tensor) in graph.inputs.enumerated() {
      let info = tensors.infos[tensor]
      // Strings have their own memory, allocated when they are set; resources need none.
      if info.type == .string || info.type == .resource { continue }
      guard info.type.bitWidth >= 8, let bytes = info.byteCount, bytes <= budget.limit else {
        throw .invalidShape(index: index, found: info.shape.dimensions)
      }
      blocks.append(
        MemoryBlock(
          tensor: tensor, offset: 0, byteCount: bytes, lifetime: 0...graph.nodes.count))
    }
    return blocks
  }

  /// Extends each block's lifetime to its last reader and plans the arena.
  func place(_ draft: SegmentDraft) throws(InferenceError) -> Segment {
    let positions = draft.start..<draft.end
    let blocks = draft.blocks
    let alive = blocks.map { block -> ClosedRange<Int> in
      guard let tensor = block.tensor else { return block.lifetime }
      let last = lastReaders[tensor] ?? block.lifetime.lowerBound
      return block.lifetime
        .lowerBound...max(
          block.lifetime.upperBound, min(last, positions.upperBound))
    }
    guard let plan = sharedBlocks(blocks, alive).plan(blocks) else {
      let node = positions.first.map { graph.nodes[$0].index } ?? 0
      throw .tooLarge(node: node, bytes: Int.max, limit: budget.limit)
    }
    let placed = blocks.indices.map {
      MemoryBlock(
        tensor: blocks[$0].tensor, offset: plan.offsets[$0], byteCount: blocks[$0].byteCount,
        lifetime: alive[$0])
    }
    return Segment(
      positions: positions, steps: draft.steps, cost: draft.cost, byteCount: plan.byteCount,
      blocks: placed, firstScratchSlot: preparation.common.requirements.firstScratchSlot,
      folded: draft.folded)
  }

  /// Returns the blocks that may share memory although their lifetimes overlap.
  private func sharedBlocks(
    _ blocks: [MemoryBlock], _ alive: [ClosedRange<Int>]
  ) -> SharedBlocks {
    let indices = { (tensors: Set<Int>) in
      Set(blocks.indices.filter { blocks[$0].tensor.map { tensors.contains($0) } ?? false })
    }
    return SharedBlocks(
      blocks, lifetimes: alive,
      widths: blocks.map { $0.tensor.map { tensors.infos[$0].type.bitWidth } ?? 8 },
      sharings: preparation.common.requirements.sharings,
      inputs: indices(Set(graph.inputs)), outputs: indices(Set(graph.outputs)))
  }
}
