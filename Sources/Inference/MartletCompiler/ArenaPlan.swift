//===--- ArenaPlan.swift - overlapping memory of layers -------------------===//
//
// A layer's output may lie over its last input if it begins low enough: when an output pixel is
// written, nothing reads the bytes that it covers any more. How much lower it must begin is the
// layer's lead. In some order, each value is placed at the lowest free offset. Several orders are tried
// for few values, and one for many.
//
// Contract  Values whose lifetimes meet do not overlap, except a layer's output and an input that is
//           last used there, which begins at least the lead above. The same values give the same plan.
// Cost      Memory in proportion to the number of values. The third power of their number, a few times,
//           up to a limit: half a second for 136 layers. Beyond `orderedCount` values, their number
//           times how many are in use at once, up to a limit.
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
    guard values.count <= ArenaPlan.orderedCount else {
      self.init(inOrderOfTime: values)
      return
    }
    let bySize = values.indices.sorted {
      (values[$1].byteCount, $0) < (values[$0].byteCount, $1)
    }
    let byTime = Array(values.indices)
    let isSearched = values.count <= ArenaPlan.swappedCount
    let conflicts = Conflicts(values, areKept: isSearched)
    var steps = 0
    var order = bySize
    var best = ArenaPlan(offsets: [], byteCount: .max)
    for other in [bySize, byTime, byTime.reversed()] {
      if let plan = ArenaPlan(conflicts, order: other, below: best.byteCount, &steps) {
        (best, order) = (plan, other)
      }
    }
    // Then two values change places as long as that saves memory.
    var isImproved = isSearched
    while isImproved {
      isImproved = false
      for i in order.indices {
        for j in i + 1..<order.count where steps < ArenaPlan.stepLimit {
          order.swapAt(i, j)
          if let plan = ArenaPlan(conflicts, order: order, below: best.byteCount, &steps) {
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

  /// The most values of which all pairs are exchanged.
  private static let swappedCount = 300
  /// The most values for which several orders are tried.
  private static let orderedCount = 4_000
  /// The most values looked at while pairs are exchanged: about two seconds.
  private static let stepLimit = 1 << 28
  /// The most values looked at in the order of time: about two seconds. Values after that have memory
  /// of their own.
  private static let scanLimit = 1 << 30

  private init(offsets: [Int], byteCount: Int) {
    self.offsets = offsets
    self.byteCount = byteCount
  }

  /// Returns `nil` if the plan needs `limit` bytes or more. Adds the values looked at to `steps`.
  private init?(
    _ conflicts: Conflicts, order: [Int], below limit: Int, _ steps: inout Int
  ) {
    var offsets = [Int](repeating: -1, count: order.count)
    var end = 0
    for value in order {
      // The offsets, both ends excluded, at which the value would meet another.
      var taken: [(lower: Int, upper: Int)] = []
      let others = conflicts.of(value)
      for conflict in others where offsets[conflict.other] >= 0 {
        let other = offsets[conflict.other]
        taken.append((other - conflict.below, other + conflict.above))
      }
      steps += others.count
      taken.sort { $0.lower < $1.lower }
      var offset = 0
      for interval in taken where interval.lower < offset && offset < interval.upper {
        offset = interval.upper
      }
      offsets[value] = offset
      end = max(end, offset + conflicts.values[value].byteCount)
      guard end < limit else { return nil }
    }
    self.init(offsets: offsets, byteCount: end)
  }

  /// Places the values in the order in which they are first used, and looks only at those in use.
  private init(inOrderOfTime values: [ArenaValue]) {
    let order = values.indices.sorted {
      (values[$0].lifetime.lowerBound, $0) < (values[$1].lifetime.lowerBound, $1)
    }
    var offsets = [Int](repeating: 0, count: values.count)
    // The values in use, by offset.
    var active: [(value: Int, range: Range<Int>, last: Int)] = []
    var (end, scans) = (0, 0)
    for index in order {
      let value = values[index]
      let leads = value.leads.map { (other: $0.key, lead: $0.value) }
      if scans < ArenaPlan.scanLimit {
        active.removeAll { $0.last < value.lifetime.lowerBound }
      }
      var offset = 0
      var isFree = false
      while !isFree, scans < ArenaPlan.scanLimit {
        isFree = true
        scans += active.count + 1
        for other in active where offset < other.range.upperBound {
          let lead = leads.first { $0.other == other.value }?.lead
          guard other.range.lowerBound - (lead ?? value.byteCount) < offset else { continue }
          offset = other.range.upperBound
          // An earlier one with a lead may be met now.
          isFree = leads.isEmpty
        }
      }
      offsets[index] = isFree ? offset : end
      end = max(end, offsets[index] + value.byteCount)
      guard isFree else { continue }
      let range = offset..<offset + value.byteCount
      active.insert(
        (index, range, value.lifetime.upperBound),
        at: active.partitioningIndex { $0.range.lowerBound > offset })
    }
    self.init(offsets: offsets, byteCount: end)
  }
}

/// Another value whose lifetime meets a value's, and the bytes by which the value must begin below or
/// above it.
private struct Conflict {
  let other: Int
  let below: Int
  let above: Int
}

/// The conflicts of values.
private struct Conflicts {
  let values: [ArenaValue]
  /// Those of each value, or none if they are found again each time.
  private let lists: [[Conflict]]

  init(_ values: [ArenaValue], areKept: Bool) {
    self.values = values
    lists = areKept ? values.indices.map { Conflicts.find($0, among: values) } : []
  }

  func of(_ value: Int) -> [Conflict] {
    lists.isEmpty ? Conflicts.find(value, among: values) : lists[value]
  }

  private static func find(_ value: Int, among values: [ArenaValue]) -> [Conflict] {
    let a = values[value]
    return values.indices.compactMap { other in
      let b = values[other]
      guard other != value, a.lifetime.overlaps(b.lifetime) else { return nil }
      return Conflict(
        other: other, below: a.leads[other] ?? a.byteCount, above: b.leads[value] ?? b.byteCount)
    }
  }
}

extension Array {
  /// The first index at which `belongsAfter` is true, if it is false before and true behind it.
  fileprivate func partitioningIndex(where belongsAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
