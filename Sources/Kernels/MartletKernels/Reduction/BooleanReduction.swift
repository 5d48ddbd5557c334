//===--- BooleanReduction.swift - any and all -----------------------------===//
//
// Reduces rows of booleans along the last axis, eight at a time.
//
// Contract  As `Reference.reduce`. A boolean is a byte; only its lowest bit counts.
// Cost      One pass; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase

/// The reduction of rows of `depth` booleans.
package struct BooleanReduction: Sendable {
  /// The smallest number of elements of a chunk that justifies waking a worker.
  private static let grain = 1 << 17

  private let isAny: Bool
  private let depth: Int

  /// Creates a reduction that computes whether any element of a row is true, or otherwise whether
  /// all are.
  package init(isAny: Bool, depth: Int) {
    self.isAny = isAny
    self.depth = depth
  }

  package func callAsFunction(
    _ x: UnsafeMutableBufferPointer<Bool>, into y: UnsafeMutableBufferPointer<Bool>,
    workers: Workers
  ) {
    guard let bytes = UnsafeRawPointer(x.baseAddress) else { return }
    // All elements are true if none is false.
    let flip: UInt8 = isAny ? 0 : 1
    workers.split(y.count, grain: BooleanReduction.grain / max(depth, 1) + 1) { rows in
      for row in rows {
        y[row] = isAnySet(bytes + row &* depth, flip) == isAny
      }
    }
  }

  /// Whether the lowest bit of any byte is set after the flip.
  @inline(__always)
  private func isAnySet(_ bytes: UnsafeRawPointer, _ flip: UInt8) -> Bool {
    let lowest: UInt64 = 0x0101_0101_0101_0101
    let flips = flip == 0 ? 0 : lowest
    var (even, odd): (UInt64, UInt64) = (0, 0)
    var i = 0
    while i &+ 16 <= depth {
      even |= bytes.loadUnaligned(fromByteOffset: i, as: UInt64.self) ^ flips
      odd |= bytes.loadUnaligned(fromByteOffset: i &+ 8, as: UInt64.self) ^ flips
      i &+= 16
    }
    var rest: UInt8 = 0
    while i < depth {
      rest |= bytes.load(fromByteOffset: i, as: UInt8.self) ^ flip
      i &+= 1
    }
    return (even | odd) & lowest != 0 || rest & 1 != 0
  }
}
