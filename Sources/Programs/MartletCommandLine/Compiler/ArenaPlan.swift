//===--- ArenaPlan.swift - overlapping memory of layers -------------------===//
//
// A layer's output may lie over its last input if it begins low enough: when an output pixel is
// written, nothing reads the bytes that it covers any more. How much lower it must begin is the
// layer's lead. In some order, each value is placed at the lowest free offset; several orders are tried.
//
// Contract  Values whose lifetimes meet do not overlap, except a layer's output and an input that is
//           last used there, which begins at least the lead above. The same values give the same plan.
// Cost      The third power of the number of values, a few times; half a second for 136 layers.
// Checked   Tests/MartletCompiledTests/ArenaPlanTests.swift
//===----------------------------------------------------------------------===//

/// A value that needs memory from the layer that writes it to the last that reads it.
struct ArenaValue {
  let byteCount: Int
  /// The indices of the first and last layer that use it.
  let lifetime: ClosedRange<Int>
  /// The inputs, by index, that it may overlap, with their leads.
  var leads: [Int: Int] = [:]
}

struct ArenaPlan {
  /// The offset of each value.
  let offsets: [Int]
  let byteCount: Int

  init(_ values: [ArenaValue]) {
    let bySize = values.indices.sorted {
      (values[$1].byteCount, $0) < (values[$0].byteCount, $1)
    }
    let byTime = Array(values.indices)
    let conflicts = ArenaPlan.conflicts(of: values)
    var order = bySize
    var best = ArenaPlan(offsets: [], byteCount: .max)
    for other in [bySize, byTime, byTime.reversed()] {
      if let plan = ArenaPlan(values, conflicts, order: other, below: best.byteCount) {
        (best, order) = (plan, other)
      }
    }
    // Then two values change places as long as that saves memory.
    var isImproved = values.count <= ArenaPlan.swappedCount
    while isImproved {
      isImproved = false
      for i in order.indices {
        for j in i + 1..<order.count {
          order.swapAt(i, j)
          if let plan = ArenaPlan(values, conflicts, order: order, below: best.byteCount) {
            best = plan
            isImproved = true
          } else {
            order.swapAt(i, j)
          }
        }
      }
    }
    self = best
  }

  /// Trying all pairs of more values would take too long.
  private static let swappedCount = 300

  private init(offsets: [Int], byteCount: Int) {
    self.offsets = offsets
    self.byteCount = byteCount
  }

  /// Returns `nil` if the plan needs `limit` bytes or more.
  private init?(
    _ values: [ArenaValue], _ conflicts: [[Conflict]], order: [Int], below limit: Int
  ) {
    var offsets = [Int](repeating: -1, count: values.count)
    var end = 0
    for value in order {
      // The offsets, both ends excluded, at which the value would meet another.
      var taken: [(lower: Int, upper: Int)] = []
      for conflict in conflicts[value] where offsets[conflict.other] >= 0 {
        let other = offsets[conflict.other]
        taken.append((other - conflict.below, other + conflict.above))
      }
      taken.sort { $0.lower < $1.lower }
      var offset = 0
      for interval in taken where interval.lower < offset && offset < interval.upper {
        offset = interval.upper
      }
      offsets[value] = offset
      end = max(end, offset + values[value].byteCount)
      guard end < limit else { return nil }
    }
    self.init(offsets: offsets, byteCount: end)
  }

  /// Another value whose lifetime meets a value's, and the bytes by which the value must begin below or
  /// above it.
  private struct Conflict {
    let other: Int
    let below: Int
    let above: Int
  }

  /// The conflicts of each value.
  private static func conflicts(of values: [ArenaValue]) -> [[Conflict]] {
    values.indices.map { value in
      let a = values[value]
      return values.indices.compactMap { other in
        let b = values[other]
        guard other != value, a.lifetime.overlaps(b.lifetime) else { return nil }
        return Conflict(
          other: other, below: a.leads[other] ?? a.byteCount, above: b.leads[value] ?? b.byteCount)
      }
    }
  }
}
