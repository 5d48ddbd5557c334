//===--- MemoryPlanner.swift - where in the arena each tensor lies --------===//
//
// Tensors whose lifetimes do not meet may share memory. The greedy plan takes blocks from the
// largest to the smallest and puts each into the lowest gap that is free during its whole life
// (Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020, greedy by
// size; LiteRT's planner follows the same paper).
//
// Contract  Blocks that are alive at the same step never overlap; offsets are multiples of the
//           arena's alignment; the same requests give the same plan (ties go to the lower index).
// Cost      O(n²) for n blocks; beyond `ModelLimits.sharingBlocks`, one after another without sharing.
// Checked   Tests/MartletInferenceTests/MemoryPlannerTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

/// A block of memory to be placed.
package struct MemoryRequest: Sendable, Hashable {
  /// The size in bytes, already rounded up to the arena's alignment.
  package let byteCount: Int
  /// The steps, first to last, during which the block is in use.
  package let lifetime: ClosedRange<Int>

  package init(byteCount: Int, lifetime: ClosedRange<Int>) {
    self.byteCount = byteCount
    self.lifetime = lifetime
  }
}

/// Offsets for a list of requests.
package struct MemoryPlan: Sendable {
  /// The offset of each request's block.
  package let offsets: [Int]
  /// The bytes that all blocks together need.
  package let byteCount: Int

  /// A plan for `requests`, or `nil` if the total overflows.
  package init?(_ requests: [MemoryRequest]) {
    var total = 0
    for request in requests {
      let (sum, overflow) = total.addingReportingOverflow(request.byteCount)
      guard !overflow else { return nil }
      total = sum
    }
    self =
      requests.count > ModelLimits.sharingBlocks
      ? MemoryPlan(inOrder: requests) : MemoryPlan(greedily: requests)
  }

  private init(inOrder requests: [MemoryRequest]) {
    var offsets: [Int] = []
    var end = 0
    for request in requests {
      offsets.append(end)
      end += request.byteCount
    }
    self.offsets = offsets
    self.byteCount = end
  }

  private init(greedily requests: [MemoryRequest]) {
    let order = requests.indices.sorted {
      (requests[$1].byteCount, $0) < (requests[$0].byteCount, $1)
    }
    var offsets = [Int](repeating: 0, count: requests.count)
    var placed: [Int] = []  // by offset
    var end = 0
    for index in order where requests[index].byteCount > 0 {
      let request = requests[index]
      var best: (offset: Int, waste: Int)?
      var gapStart = 0
      for other in placed where requests[other].lifetime.overlaps(request.lifetime) {
        let gap = offsets[other] - gapStart
        if gap >= request.byteCount, gap - request.byteCount < best?.waste ?? Int.max {
          best = (gapStart, gap - request.byteCount)
        }
        gapStart = max(gapStart, offsets[other] + requests[other].byteCount)
      }
      let offset = best?.offset ?? gapStart
      offsets[index] = offset
      end = max(end, offset + request.byteCount)
      let position = placed.firstIndex { offsets[$0] > offset } ?? placed.count
      placed.insert(index, at: position)
    }
    self.offsets = offsets
    self.byteCount = end
  }
}
