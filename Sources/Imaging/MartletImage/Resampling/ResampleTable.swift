//===--- ResampleTable.swift - resampling weights of one axis -------------===//
//
// Output i is Σ weight[t] · input[start + t] over its taps. Every method fills such a table, and
// one loop applies it (RGBImage+Resize.swift).
//
// Contract  Weights are not negative and in units of 1/2^22 (32 bits minus 8 of a pixel and 2 of
//           headroom), so a sum of bytes fits Int32. Taps stay inside the axis.
// Order     Triangle weights are computed in Double in the order of Pillow's resampling (center,
//           tap distances, sum in tap order, quotient, + 0.5 and truncation), so they and all
//           results are identical to Pillow's. Coverage is the difference of running totals, so
//           each output's weights sum to exactly 2^22.
// Cost      O(taps): about twice the input's pixels if the image shrinks.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

/// The taps and weights of every output of one axis.
struct ResampleTable {
  /// The number of fraction bits of a weight.
  static let precision: Int32 = 22

  /// The taps of each output.
  private(set) var windows: [ResampleWindow] = []
  /// The weights of the taps in pairs; each output has whole groups of pairs.
  private(set) var weights: [Int32] = []

  /// The range of inputs that any output reads.
  var inputs: Range<Int> {
    guard let first = windows.first, let last = windows.last else { return 0..<0 }
    return first.start..<(last.start + last.count)
  }

  /// Whether each output is the mean of two inputs that no other output uses.
  var isHalving: Bool {
    let first = inputs.lowerBound
    let half: Int32 = 1 << (ResampleTable.precision - 1)
    return windows.indices.allSatisfy { index in
      let window = windows[index]
      return window.start == first + 2 * index && window.count == 2
        && weight(of: 0, in: window) == half && weight(of: 1, in: window) == half
    }
  }

  /// The table of `count` outputs, spread evenly from `lower` to `upper` on an axis of `inputCount`
  /// pixels.
  init(method: ResizeMethod, inputCount: Int, from lower: Float, to upper: Float, count: Int) {
    let scale = Double(upper - lower) / Double(count)
    windows.reserveCapacity(count)
    weights.reserveCapacity(count * (Int(2 * max(scale, 1)) + 2 * ResampleWindow.group))
    for index in 0..<count {
      switch method {
      case .antialiased:
        let center = Double(lower) + (Double(index) + 0.5) * scale
        appendTriangle(center: center, radius: max(scale, 1), inputCount: inputCount)
      case .bilinear:
        let center = Double(lower) + (Double(index) + 0.5) * scale
        appendTriangle(center: center, radius: 1, inputCount: inputCount)
      case .area:
        let start = Double(lower) + Double(index) * scale
        let end = Double(lower) + Double(index + 1) * scale
        appendCoverage(from: start, to: end, inputCount: inputCount)
      }
    }
    pad()
  }

  private mutating func appendTriangle(center: Double, radius: Double, inputCount: Int) {
    let start = max(0, Int(center - radius + 0.5))
    let end = min(inputCount, Int(center + radius + 0.5))
    let inverse = 1 / radius
    func share(_ tap: Int) -> Double {
      let distance = ((Double(tap) - center + 0.5) * inverse).magnitude
      return distance < 1 ? 1 - distance : 0
    }
    var sum = 0.0
    for tap in start..<end { sum += share(tap) }
    appendWindow(start: start, count: end - start)
    let one = Double(1 << ResampleTable.precision)
    for tap in start..<end {
      let weight = sum == 0 ? share(tap) : share(tap) / sum
      append(Int32(0.5 + weight * one), isFirst: (tap - start).isMultiple(of: 2))
    }
  }

  private mutating func appendCoverage(from lower: Double, to upper: Double, inputCount: Int) {
    let start = min(inputCount - 1, max(0, Int(lower)))
    let whole = Int(upper)
    let end = min(inputCount, max(start + 1, Double(whole) < upper ? whole + 1 : whole))
    appendWindow(start: start, count: end - start)
    let one = Double(1 << ResampleTable.precision)
    var before: Int32 = 0
    for tap in start..<end {
      let covered = (Double(tap + 1) - lower) / (upper - lower)
      let total = tap == end - 1 ? 1 : min(1, max(0, covered))
      let after = Int32(total * one + 0.5)
      append(after - before, isFirst: (tap - start).isMultiple(of: 2))
      before = after
    }
  }

  private mutating func appendWindow(start: Int, count: Int) {
    pad()
    windows.append(ResampleWindow(start: start, count: count, firstWeight: weights.count))
  }

  /// Fills the last group of pairs with zeros.
  private mutating func pad() {
    while !weights.count.isMultiple(of: 2 * ResampleWindow.group) { weights.append(0) }
  }

  /// Appends the weight of the first tap of a pair, or adds that of the second.
  private mutating func append(_ weight: Int32, isFirst: Bool) {
    let (high, low) = (weight >> 15, weight & 0x7FFF)
    if isFirst {
      weights.append(high)
      weights.append(low)
    } else {
      weights[weights.count - 2] |= high << 16
      weights[weights.count - 1] |= low << 16
    }
  }

  /// The weight of one of a window's taps.
  func weight(of tap: Int, in window: ResampleWindow) -> Int32 {
    let pair = window.firstWeight + 2 * (tap / 2)
    let shift = Int32(tap & 1) * 16
    return (weights[pair] >> shift & 0xFFFF) << 15 | weights[pair + 1] >> shift & 0xFFFF
  }
}
