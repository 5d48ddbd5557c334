//===--- Segment.swift - nodes whose shapes are all known -----------------===//
//
// Most graphs are one segment, prepared once. Where a value that the graph computes decides a
// shape, a segment ends, and what follows is prepared in mid-run, when the value is there.
//
// Contract  A tensor that later segments or the caller read stays whole until the next run. A
//           segment says where in an arena each block lies; states bring arenas of their own.
// Cost      Running a segment allocates nothing.
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletRuntime

/// A node that is ready to run.
struct Step: Sendable {
  /// The operator's index in the file's subgraph.
  let node: Int
  let work: Work
  /// The bytes of scratch memory that it has on the stack.
  var stackByteCount = 0
  /// The place of the first of its calls among those of the segment.
  let firstCall: Int
}

/// Consecutive nodes, prepared.
struct Segment: Sendable {
  /// The positions in the graph that this segment covers.
  let positions: Range<Int>
  let steps: [Step]
  /// The work that running it takes, and what computing its constants took if that is done anew for
  /// each run; without that of the subgraphs that it calls.
  var cost = 0
  /// The bytes of the arena.
  let byteCount: Int
  /// What lies in the arena, and when.
  let blocks: [MemoryBlock]
  /// The slot of the first block of scratch memory.
  let firstScratchSlot: Int
  /// Memory of tensors that were computed once from constants.
  var folded: [Arena] = []
}

extension TensorTable {
  /// Notes where a segment's blocks are when its arena begins at `base`.
  mutating func bind(_ segment: Segment, to base: UnsafeMutableRawPointer) {
    var slot = segment.firstScratchSlot
    for block in segment.blocks {
      let address = base + block.offset
      if let tensor = block.tensor {
        place(tensor, at: address, byteCount: block.byteCount)
      } else {
        placeScratch(slot, at: address)
        slot += 1
      }
    }
  }

  /// Notes that a segment has run: what later nodes read of it is known from now on.
  mutating func noteComputed(by segment: Segment) {
    for block in segment.blocks {
      guard let tensor = block.tensor, block.lifetime.upperBound >= segment.positions.upperBound
      else { continue }
      setKnown(tensor)
    }
  }
}

/// A block of the memory plan: what it holds, where and when.
package struct MemoryBlock: Sendable {
  /// The tensor's index in the subgraph, or `nil` for a node's scratch memory.
  package let tensor: Int?
  package let offset: Int
  package let byteCount: Int
  /// The positions, in running order, during which it is in use.
  package let lifetime: ClosedRange<Int>
}
