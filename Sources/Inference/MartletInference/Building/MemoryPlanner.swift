//===--- MemoryPlanner.swift - memory plan of the arena -------------------===//
//
// Blocks whose lifetimes do not overlap may share memory. A greedy planner takes the blocks in some
// order and puts each into the tightest gap that is free during its lifetime (Pisarchyk and Lee,
// "Efficient Memory Management for Deep Neural Net Inference", 2020; LiteRT's planner follows the
// same paper). No order is best for every graph, so it tries several and keeps the smallest plan.
//
// Contract  Blocks in use at the same step never overlap. Offsets are multiples of the arena's
//           alignment, or of `smallAlignment` for smaller blocks, which suffices for every element
//           type. The same requests produce the same plan (ties go to the earlier order and the
//           lower index).
// Cost      O(n²) for n blocks and each order. Only one order beyond `searchLimit` blocks; no
//           sharing beyond `ModelLimits.sharingBlocks`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

/// A request for a block of memory.
package struct MemoryRequest: Sendable {
  /// The size in bytes.
  package let byteCount: Int
  /// The steps, first to last, during which the block is in use.
  package let lifetime: ClosedRange<Int>

  package init(byteCount: Int, lifetime: ClosedRange<Int>) {
    self.byteCount = byteCount
    self.lifetime = lifetime
  }
}

extension MemoryRequest {
  /// The first offset at or after `end` at which the block may start.
  fileprivate func start(behind end: Int) -> Int {
    let alignment =
      byteCount < Arena.alignment ? MemoryPlan.smallAlignment : Arena.alignment
    return (end + alignment - 1) / alignment * alignment
  }
}

/// The offsets of a list of requests.
package struct MemoryPlan: Sendable {
  /// The offset of each request's block.
  package let offsets: [Int]
  /// The size of all blocks together in bytes.
  package let byteCount: Int

  /// The alignment of blocks that are smaller than the arena's.
  package static let smallAlignment = 16
  /// The number of blocks beyond which only one order is tried.
  package static let searchLimit = 4_000

  /// Creates a plan for `requests`. Returns `nil` if the total overflows.
  package init?(_ requests: [MemoryRequest]) {
    var total = 0
    for request in requests {
      let (size, isHuge) = request.byteCount.addingReportingOverflow(Arena.alignment)
      let (sum, overflow) = total.addingReportingOverflow(size)
      guard !isHuge, !overflow else { return nil }
      total = sum
    }
    guard requests.count <= ModelLimits.sharingBlocks else {
      self.init(inOrder: requests)
      return
    }
    let orders = [
      MemoryPlan.bySize, MemoryPlan.byBreadth, MemoryPlan.byDuration, MemoryPlan.byIndex,
      MemoryPlan.byIndexFromTheEnd,
    ].prefix(requests.count <= MemoryPlan.searchLimit ? 5 : 1)
    let bound = MemoryPlan.bound(requests)
    var best = MemoryPlan(requests, order: orders[0](requests))
    for order in orders.dropFirst() where best.byteCount > bound {
      let plan = MemoryPlan(requests, order: order(requests))
      if plan.byteCount < best.byteCount { best = plan }
    }
    self = best
  }

  private init(inOrder requests: [MemoryRequest]) {
    var offsets: [Int] = []
    var end = 0
    for request in requests {
      offsets.append(request.start(behind: end))
      end = request.start(behind: end) + request.byteCount
    }
    self.offsets = offsets
    self.byteCount = end
  }

  /// Places the blocks greedily in this order.
  private init(_ requests: [MemoryRequest], order: [Int]) {
    var offsets = [Int](repeating: 0, count: requests.count)
    var placed: [Int] = []  // by offset
    var end = 0
    for index in order where requests[index].byteCount > 0 {
      let request = requests[index]
      var best: (offset: Int, waste: Int)?
      var gapStart = 0
      for other in placed where requests[other].lifetime.overlaps(request.lifetime) {
        let start = request.start(behind: gapStart)
        let waste = offsets[other] - start - request.byteCount
        if waste >= 0, waste < best?.waste ?? Int.max { best = (start, waste) }
        gapStart = max(gapStart, offsets[other] + requests[other].byteCount)
      }
      let offset = best?.offset ?? request.start(behind: gapStart)
      offsets[index] = offset
      end = max(end, offset + request.byteCount)
      let position = placed.firstIndex { offsets[$0] > offset } ?? placed.count
      placed.insert(index, at: position)
    }
    self.offsets = offsets
    self.byteCount = end
  }
}

// MARK: - Orders

extension MemoryPlan {
  /// The largest first.
  private static func bySize(_ requests: [MemoryRequest]) -> [Int] {
    requests.indices.sorted {
      (requests[$1].byteCount, $0) < (requests[$0].byteCount, $1)
    }
  }

  /// The blocks of the step with the most memory first, the largest of them first; then those of
  /// the step with the next most memory.
  private static func byBreadth(_ requests: [MemoryRequest]) -> [Int] {
    let steps = breadths(requests).sorted { ($1.bytes, $0.step) < ($0.bytes, $1.step) }
    let sizes = bySize(requests)
    var isTaken = [Bool](repeating: false, count: requests.count)
    var order: [Int] = []
    for (step, _) in steps where order.count < requests.count {
      for index in sizes where !isTaken[index] && requests[index].lifetime.contains(step) {
        isTaken[index] = true
        order.append(index)
      }
    }
    return order
  }

  /// The longest lifetime first.
  private static func byDuration(_ requests: [MemoryRequest]) -> [Int] {
    requests.indices.sorted {
      let (a, b) = (requests[$0], requests[$1])
      let (long, short) = (a.lifetime.count, b.lifetime.count)
      return (short, b.byteCount, $0) < (long, a.byteCount, $1)
    }
  }

  /// The order of the requests.
  private static func byIndex(_ requests: [MemoryRequest]) -> [Int] { Array(requests.indices) }

  /// The reverse order of the requests.
  private static func byIndexFromTheEnd(_ requests: [MemoryRequest]) -> [Int] {
    requests.indices.reversed()
  }

  /// The steps at which a block's lifetime starts, and the bytes of all blocks in use then. Between
  /// such steps memory use can only decrease.
  private static func breadths(_ requests: [MemoryRequest]) -> [(step: Int, bytes: Int)] {
    var changes: [(step: Int, bytes: Int)] = []
    for request in requests {
      let bytes = request.byteCount
      changes.append((request.lifetime.lowerBound * 2, bytes))
      changes.append((request.lifetime.upperBound * 2 + 1, -bytes))
    }
    changes.sort { ($0.step, $0.bytes) < ($1.step, $1.bytes) }
    var breadths: [(step: Int, bytes: Int)] = []
    var alive = 0
    for (step, bytes) in changes {
      alive += bytes
      guard bytes >= 0 else { continue }
      if breadths.last?.step == step / 2 { breadths.removeLast() }
      breadths.append((step / 2, alive))
    }
    return breadths
  }

  /// The lower bound of any plan's size.
  private static func bound(_ requests: [MemoryRequest]) -> Int {
    breadths(requests).map { $0.bytes }.max() ?? 0
  }
}
