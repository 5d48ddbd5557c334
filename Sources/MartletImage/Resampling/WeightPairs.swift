//===--- WeightPairs.swift - weights of resampling kernels ----------------===//
//
// A weight w of at most 2^22 is h and l with w = 2^15 h + l, both of 16 bits. Two taps' h, and their l,
// lie in one 32-bit number each.
//
// Checked   Tests/MartletImageTests/ResizeTests.swift
//===----------------------------------------------------------------------===//

import MartletMicrokernels

/// The weights of a table in pairs: those of an odd last tap are beside zeros.
///
/// Plain memory, so that loops count no references.
final class WeightPairs {
  /// One for each output.
  let windows: UnsafeMutablePointer<ResampleWindow>
  private let weights: UnsafeMutablePointer<Int32>

  init(_ table: ResampleTable) {
    let count = table.windows.reduce(0) { $0 + ($1.count + 1) / 2 }
    weights = .allocate(capacity: max(2 * count, 1))
    windows = .allocate(capacity: max(table.windows.count, 1))
    var next = weights
    for (index, window) in table.windows.enumerated() {
      (windows + index).initialize(
        to: ResampleWindow(
          start: window.start, pairCount: (window.count + 1) / 2, weights: UnsafePointer(next)))
      for tap in stride(from: 0, to: window.count, by: 2) {
        let first = table.weights[window.firstWeight + tap]
        let second = tap + 1 < window.count ? table.weights[window.firstWeight + tap + 1] : 0
        next.initialize(to: first >> 15 | (second >> 15) << 16)
        (next + 1).initialize(to: first & 0x7FFF | (second & 0x7FFF) << 16)
        next += 2
      }
    }
  }

  deinit {
    windows.deallocate()
    weights.deallocate()
  }
}
