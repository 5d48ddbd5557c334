//===--- Segment.swift - nodes whose shapes are all known -----------------===//
//
// Most graphs are one segment, prepared once. Where a value that the graph computes decides a
// shape, a segment ends, and what follows is prepared in mid-run, when the value is there.
//
// Contract  A tensor that later segments or the caller read stays whole until the next run.
// Cost      Running a segment allocates nothing.
//===----------------------------------------------------------------------===//

import MartletTensor

/// A node that is ready to run.
struct Step {
  /// The operator's index in the file's subgraph.
  let node: Int
  let evaluate: Evaluate
}

/// Consecutive nodes, prepared, with their memory.
struct Segment {
  /// The positions in the graph that this segment covers.
  let positions: Range<Int>
  let steps: [Step]
  let arena: Arena
  /// What lies in the arena, and when.
  let blocks: [MemoryBlock]
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
