//===--- Segment.swift - nodes with known shapes --------------------------===//
//
// Most graphs are one segment, prepared once. If a shape depends on a value that the graph
// computes, the segment ends there, and the rest is prepared during the run, when the value is
// known.
//
// Contract  A tensor that later segments or the caller read is kept until the next run. A segment
//           only has offsets into an arena; each state has its own arena.
// Cost      Running a segment allocates nothing.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletOperators

/// A node that is ready to run.
struct Step: Sendable {
  /// The operator's index in the file's subgraph.
  let node: Int
  let work: Work
  /// The kernel of `work`, by itself: reading `work` would copy the whole step in each run.
  let kernel: Evaluate?
  /// The bytes of its scratch memory on the stack.
  let stackByteCount: Int
  /// The index of its first call among those of the segment.
  let firstCall: Int

  init(node: Int, work: Work, stackByteCount: Int = 0, firstCall: Int) {
    self.node = node
    self.work = work
    if case .kernel(let evaluate) = work { kernel = evaluate } else { kernel = nil }
    self.stackByteCount = stackByteCount
    self.firstCall = firstCall
  }
}

/// Consecutive prepared nodes.
struct Segment: Sendable {
  /// The positions in the graph that this segment covers.
  let positions: Range<Int>
  let steps: [Step]
  /// The work of running it, plus that of computing its constants if each run repeats it. Excludes
  /// the subgraphs that it calls.
  var cost = 0
  /// The size of the arena in bytes.
  let byteCount: Int
  /// The blocks in the arena and their lifetimes.
  let blocks: [MemoryBlock]
  /// The slot of the first block of scratch memory.
  let firstScratchSlot: Int
  /// The memory of tensors that were computed once from constants.
  var folded: [Arena] = []
}

extension TensorTable {
  /// Sets a tensor's memory to the start of an arena, which the caller keeps alive.
  mutating func place(_ tensor: Int, in arena: Arena, byteCount: Int) {
    precondition(byteCount <= arena.byteCount)
    unsafe place(tensor, at: arena.base, byteCount: byteCount)
  }

  /// Sets the addresses of a segment's blocks for an arena that starts at `base` and is large enough
  /// for them.
  mutating func bind(_ segment: Segment, to base: UnsafeMutableRawPointer) {
    var slot = segment.firstScratchSlot
    for block in segment.blocks {
      let address = unsafe base + block.offset
      if let tensor = block.tensor {
        unsafe place(tensor, at: address, byteCount: block.byteCount)
      } else {
        unsafe placeScratch(slot, at: address)
        slot += 1
      }
    }
  }

  /// Marks the segment's tensors that later nodes read as known.
  mutating func noteComputed(by segment: Segment) {
    for block in segment.blocks {
      guard let tensor = block.tensor, block.lifetime.upperBound >= segment.positions.upperBound
      else { continue }
      setKnown(tensor)
    }
  }
}

/// A block of the memory plan: its tensor, offset, size and lifetime.
package struct MemoryBlock: Sendable {
  /// The tensor's index in the subgraph, or `nil` for a node's scratch memory.
  package let tensor: Int?
  package let offset: Int
  package let byteCount: Int
  /// The positions, in execution order, during which it is in use.
  package let lifetime: ClosedRange<Int>
}
