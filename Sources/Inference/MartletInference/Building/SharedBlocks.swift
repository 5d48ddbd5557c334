//===--- SharedBlocks.swift - shared memory of blocks ---------------------===//
//
// Two kinds of operators need no memory for their results. Element-wise operators read an element
// before they write the one at the same index: the result may overwrite an operand without later
// readers. Reshaping operators keep the bytes of their operand: the result may share its memory as
// long as neither is overwritten.
//
// Contract  Only blocks of one segment's arena share memory: never constants, variables or blocks
//           of earlier segments. The graph's inputs and outputs live to the end and are never
//           overwritten. An output does not share an input's memory, which the caller may write
//           before reading the output.
// Cost      O(n) for n blocks.
//===----------------------------------------------------------------------===//

import MartletOperators

/// Groups of blocks that share memory, and the lifetime of each group.
struct SharedBlocks {
  /// For each block, the first block of its group.
  private(set) var leaders: [Int]
  /// For each leader, the steps during which its group is in use.
  private(set) var lifetimes: [ClosedRange<Int>]

  /// Joins blocks as allowed by `sharings`.
  ///
  /// - Parameters:
  ///   - widths: The bits of each block's elements.
  ///   - inputs: The blocks that the caller writes.
  ///   - outputs: The blocks that the caller reads.
  init(
    _ blocks: [MemoryBlock], lifetimes: [ClosedRange<Int>], widths: [Int],
    sharings: [BlockSharing], inputs: Set<Int>, outputs: Set<Int>
  ) {
    leaders = Array(blocks.indices)
    self.lifetimes = lifetimes
    var place: [Int: Int] = [:]
    for (index, block) in blocks.enumerated() {
      if let tensor = block.tensor { place[tensor] = index }
    }
    var isSettled = [Bool](repeating: false, count: blocks.count)
    for sharing in sharings {
      guard let result = place[sharing.result], !isSettled[result] else { continue }
      isSettled[result] = true
      let start = lifetimes[result].lowerBound
      let operand = sharing.operands.lazy.compactMap { place[$0] }.first { operand in
        guard blocks[operand].byteCount == blocks[result].byteCount, operand != result else {
          return false
        }
        let leader = leaders[operand]
        switch sharing.kind {
        case .overwrites:
          return widths[operand] == widths[result] && self.lifetimes[leader].upperBound == start
            && !inputs.contains(leader)
        case .keeps:
          return self.lifetimes[leader].upperBound >= start
            && !(inputs.contains(leader) && outputs.contains(result))
        }
      }
      if let operand { join(result, to: leaders[operand]) }
    }
  }

  private mutating func join(_ block: Int, to leader: Int) {
    let (a, b) = (lifetimes[leader], lifetimes[block])
    leaders[block] = leader
    lifetimes[leader] =
      min(a.lowerBound, b.lowerBound)...max(a.upperBound, b.upperBound)
  }

  /// The offsets of `blocks`, and the bytes of the arena, or `nil` if their sum overflows.
  func plan(_ blocks: [MemoryBlock]) -> (offsets: [Int], byteCount: Int)? {
    let requests = blocks.indices.map {
      MemoryRequest(
        byteCount: leaders[$0] == $0 ? blocks[$0].byteCount : 0, lifetime: lifetimes[$0])
    }
    guard let plan = MemoryPlan(requests) else { return nil }
    return (leaders.map { plan.offsets[$0] }, plan.byteCount)
  }
}
