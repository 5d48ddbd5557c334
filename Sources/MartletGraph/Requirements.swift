//===--- Requirements.swift - memory and work that nodes ask for ----------===//
//
// While nodes are prepared they ask for scratch memory, allow that their result lies where an operand
// does, and state work that their shapes do not tell.
//
// Contract  Scratch memory is on the stack as long as there is room, in the arena beyond.
// Checked   Tests/MartletInferenceTests/PreparationTests.swift, BlockSharingTests.swift
//===----------------------------------------------------------------------===//

import MartletRuntime

/// A result that may lie where one of some operands does.
package struct BlockSharing: Sendable {
  /// Why it may.
  package enum Kind: Sendable {
    /// The kernel reads each element of the operand before it writes that of the result.
    case overwrites
    /// The result's bytes are those of the operand.
    case keeps
  }
  package let kind: Kind
  /// The tensors, by their index in the subgraph.
  package let result: Int
  package let operands: [Int]

  package init(kind: Kind, result: Int, operands: [Int]) {
    self.kind = kind
    self.result = result
    self.operands = operands
  }
}

/// What the nodes of a segment ask for.
package struct Requirements {
  /// The sizes in bytes of the scratch memory in the arena, of all nodes.
  package private(set) var scratch: [Int] = []
  /// The slot of the first of them.
  package let firstScratchSlot: Int
  /// Results of any node that may lie where an operand does.
  package private(set) var sharings: [BlockSharing] = []
  /// The bytes of the node's scratch memory on the stack.
  package private(set) var stackByteCount = 0
  /// The work that the node has stated.
  package var statedWork = 0

  package init(firstScratchSlot: Int) { self.firstScratchSlot = firstScratchSlot }

  /// Begins with the next node.
  package mutating func beginNode() {
    stackByteCount = 0
    statedWork = 0
  }

  /// A slot for scratch memory: on the stack, whose slots are negative, as long as there is room.
  mutating func place(bytes: Int) -> Int {
    let start = stackByteCount
    guard bytes <= StackMemory.limit - start else { return placeInArena(bytes: bytes) }
    stackByteCount = Arena.aligned(start + bytes)
    return ~start
  }

  /// A slot for scratch memory in the arena.
  package mutating func placeInArena(bytes: Int) -> Int {
    scratch.append(bytes)
    return firstScratchSlot + scratch.count - 1
  }

  /// Forgets the scratch memory in the arena but for the first `count` blocks.
  package mutating func removeScratch(from count: Int) { scratch.removeSubrange(count...) }

  mutating func add(_ sharing: BlockSharing) { sharings.append(sharing) }
}
