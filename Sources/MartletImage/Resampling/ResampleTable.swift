//===--- ResampleTable.swift - resampling weights of one axis -------------===//
//
// Output i is Σ weight[t] · input[start + t] over its taps. All methods become such
// a table; one loop runs them (Resampler.swift).
//
// Contract  Weights are not negative and in 1/2^22 (32 bits less 8 of a pixel and 2 of
//           headroom), so a sum of bytes fits Int32. Taps stay inside the axis.
// Order     Weights of the triangle are computed in Double in the order of Pillow's
//           resampling (centre, tap distances, sum in tap order, quotient, + 0.5 and
//           cut), which makes them, and all results, its bits. Coverage is cut from
//           running totals, so that each output's weights sum to exactly 2^22.
// Cost      O(taps): about twice the input's pixels when shrinking.
// Checked   Tests/MartletImageTests/ResizeTests.swift, against Pillow and NumPy
//===----------------------------------------------------------------------===//

/// The taps and weights of every output of one axis.
struct ResampleTable {
  /// Bits below one in a weight.
  static let precision: Int32 = 22

  /// The taps of one output.
  struct Window {
    /// The first input.
    var start: Int
    /// How many inputs.
    var count: Int
    /// Where its weights begin in `weights`.
    var firstWeight: Int
  }

  private(set) var windows: [Window] = []
  private(set) var weights: [Int32] = []

  /// The inputs that any output reads.
  var inputs: Range<Int> {
    guard let first = windows.first, let last = windows.last else { return 0..<0 }
    return first.start..<(last.start + last.count)
  }

  /// Outputs `count`, spread evenly from `lower` to `upper` on an axis of `inputCount` pixels.
  init(method: ResizeMethod, inputCount: Int, from lower: Float, to upper: Float, count: Int) {
    windows.reserveCapacity(count)
    let scale = Double(upper - lower) / Double(count)
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
  }

  private mutating func appendTriangle(center: Double, radius: Double, inputCount: Int) {
    let start = max(0, Int(center - radius + 0.5))
    let end = min(inputCount, Int(center + radius + 0.5))
    let inverse = 1 / radius
    var distances: [Double] = []
    distances.reserveCapacity(end - start)
    var sum = 0.0
    for tap in 0..<(end - start) {
      let distance = ((Double(tap + start) - center + 0.5) * inverse).magnitude
      let weight = distance < 1 ? 1 - distance : 0
      distances.append(weight)
      sum += weight
    }
    appendWindow(start: start, count: end - start)
    let one = Double(1 << ResampleTable.precision)
    for weight in distances {
      weights.append(Int32(0.5 + (sum == 0 ? weight : weight / sum) * one))
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
      weights.append(after - before)
      before = after
    }
  }

  private mutating func appendWindow(start: Int, count: Int) {
    windows.append(Window(start: start, count: count, firstWeight: weights.count))
  }
}
