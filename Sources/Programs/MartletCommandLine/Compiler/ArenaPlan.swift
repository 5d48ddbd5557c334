//===--- ArenaPlan.swift - overlapping memory of layers -------------------===//
//
// A layer's output may lie over its last input if it begins low enough: when an output pixel is
// written, nothing reads the bytes that it covers any more. How much lower it must begin is the
// layer's lead. In some order, each value is placed at the lowest free offset; several orders are tried.
//
// Contract  Values whose lifetimes meet do not overlap, except a layer's output and an input that is
//           last used there, which begins at least the lead above. The same values give the same plan.
// Cost      The fourth power of the number of values, a few times; a second for 100 layers.
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
    var order = bySize
    var best = ArenaPlan(values, order: order)
    for other in [byTime, byTime.reversed()] {
      let plan = ArenaPlan(values, order: other)
      if plan.byteCount < best.byteCount { (best, order) = (plan, other) }
    }
    // Then two values change places as long as that saves memory.
    var isImproved = values.count <= ArenaPlan.swappedCount
    while isImproved {
      isImproved = false
      for i in order.indices {
        for j in i + 1..<order.count {
          order.swapAt(i, j)
          let plan = ArenaPlan(values, order: order)
          if plan.byteCount < best.byteCount {
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

  /// With more values, trying all pairs would take minutes.
  private static let swappedCount = 300

  private init(_ values: [ArenaValue], order: [Int]) {
    var offsets = [Int](repeating: 0, count: values.count)
    var placed: [Int] = []
    var end = 0
    for value in order {
      // The offsets, both ends excluded, at which the value would meet another.
      let taken =
        placed.compactMap { other in
          ArenaPlan.conflict(value, other, at: offsets[other], values)
        }.sorted { $0.lower < $1.lower }
      var offset = 0
      for interval in taken where interval.lower < offset && offset < interval.upper {
        offset = interval.upper
      }
      offsets[value] = offset
      placed.append(value)
      end = max(end, offset + values[value].byteCount)
    }
    self.offsets = offsets
    byteCount = end
  }

  /// The offsets of `value`, both ends excluded, that conflict with `other` at `offset`.
  private static func conflict(
    _ value: Int, _ other: Int, at offset: Int, _ values: [ArenaValue]
  ) -> (lower: Int, upper: Int)? {
    let (a, b) = (values[value], values[other])
    guard a.lifetime.overlaps(b.lifetime) else { return nil }
    if let lead = a.leads[other] { return (offset - lead, offset + b.byteCount) }
    if let lead = b.leads[value] { return (offset - a.byteCount, offset + lead) }
    return (offset - a.byteCount, offset + b.byteCount)
  }
}
