//===--- Requirements.swift - memory and work of nodes --------------------===//
//
// During preparation nodes request scratch memory, allow a result to share an operand's memory, and
// state work that their shapes do not imply.
//
// Contract  Scratch memory is on the stack while there is room, then in the arena.
//===----------------------------------------------------------------------===//

import MartletBase

/// A result that may share the memory of one of its operands.
package struct BlockSharing: Sendable {
  /// The reason.
  package enum Kind: Sendable {
    /// The kernel reads each element of the operand before it writes that of the result.
    case overwrites
    /// The result has the same bytes as the operand.
    case keeps
  }
  package let kind: Kind
  /// The tensors' indices in the subgraph.
  package let result: Int
  package let operands: [Int]

  package init(kind: Kind, result: Int, operands: [Int]) {
    self.kind = kind
    self.result = result
    self.operands = operands
  }
}

/// The requests of a segment's nodes.
package struct Requirements {
  /// The sizes in bytes of all nodes' scratch memory in the arena.
  package private(set) var scratch: [Int] = []
  /// The slot of the first block of scratch memory in the arena.
  package let firstScratchSlot: Int
  /// The results of all nodes that may share an operand's memory.
  package private(set) var sharings: [BlockSharing] = []
  /// The bytes of the current node's scratch memory on the stack.
  package private(set) var stackByteCount = 0
  /// The work that the current node stated.
  package var statedWork = 0

  package init(firstScratchSlot: Int) { self.firstScratchSlot = firstScratchSlot }

  /// Resets the state of the current node.
  package mutating func beginNode() {
    stackByteCount = 0
    statedWork = 0
  }

  /// Returns a slot for scratch memory: on the stack (a negative slot) while there is room.
  mutating func place(bytes: Int) -> Int {
    let start = stackByteCount
    guard bytes <= StackMemory.limit - start else { return placeInArena(bytes: bytes) }
    stackByteCount = Arena.aligned(start + bytes)
    return ~start
  }

  /// Returns a slot for scratch memory in the arena.
  package mutating func placeInArena(bytes: Int) -> Int {
    scratch.append(bytes)
    return firstScratchSlot + scratch.count - 1
  }

  /// Removes all scratch memory in the arena except the first `count` blocks.
  package mutating func removeScratch(from count: Int) { scratch.removeSubrange(count...) }

  mutating func add(_ sharing: BlockSharing) { sharings.append(sharing) }
}
