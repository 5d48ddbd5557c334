//===--- ElementRuns.swift - runs of one operand --------------------------===//
//
// Splits a tensor and a result of the same element count into pieces for the workers and for
// microkernels that process whole vectors.
//
// Contract  Each element of the result is written once, by the same function at every position, so
//           results do not depend on the split. The result may be the operand's memory if elements
//           have the same width.
// Order     Whole vectors first. The remainder recomputes the last vector; if the result overwrites
//           the operand, the remainder uses a padded vector instead.
//===----------------------------------------------------------------------===//

import MartletBase

/// The traversal of a tensor by loops that take multiples of `lanes` elements.
struct ElementRuns: Sendable {
  /// The smallest number of elements of a chunk that justifies waking a worker.
  static let grain = 1 << 13
  /// The most lanes of a vector of four-byte elements.
  private static let unit = 64

  typealias Loop = (_ x: UnsafeRawPointer, _ count: Int, _ y: UnsafeMutableRawPointer) -> Void

  /// The bytes per element of the operand and of the result.
  let size: (x: Int, y: Int)
  let lanes: Int

  /// Calls `loop` until all of `count` elements are written.
  func forEach(
    _ x: UnsafeRawPointer, count: Int, into y: UnsafeMutableRawPointer, workers: Workers,
    _ loop: Loop
  ) {
    let units = (count + ElementRuns.unit - 1) / ElementRuns.unit
    workers.split(units, grain: ElementRuns.grain / ElementRuns.unit) { part in
      let first = part.lowerBound * ElementRuns.unit
      run(
        x + first * size.x, min(part.upperBound * ElementRuns.unit, count) - first,
        y + first * size.y, loop)
    }
  }

  /// Processes one piece. A remainder shorter than a vector is copied to a padded vector.
  func run(
    _ x: UnsafeRawPointer, _ count: Int, _ y: UnsafeMutableRawPointer, _ loop: Loop
  ) {
    let whole = count & ~(lanes &- 1)
    if whole > 0 { loop(x, whole, y) }
    let rest = count &- whole
    guard rest > 0 else { return }
    if whole > 0, UnsafeRawPointer(y) != x {
      // The operand is not overwritten, so the last vector may overlap elements that are already
      // done.
      let last = count &- lanes
      return loop(x + last &* size.x, lanes, y + last &* size.y)
    }
    var memory = (SIMD64<UInt8>.zero, SIMD64<UInt8>.zero)
    withUnsafeMutableBytes(of: &memory) { bytes in
      guard let argument = bytes.baseAddress else { return }
      let result = argument + 64
      argument.copyMemory(from: x + whole &* size.x, byteCount: rest &* size.x)
      loop(argument, lanes, result)
      (y + whole &* size.y).copyMemory(from: result, byteCount: rest &* size.y)
    }
  }
}
