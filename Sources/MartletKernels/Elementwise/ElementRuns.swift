//===--- ElementRuns.swift - one operand in whole vectors -----------------===//
//
// A tensor and a result of as many elements, in pieces for the workers and for microkernels that
// take whole vectors.
//
// Contract  Each element of the result is written once, by the same function wherever it lies: no
//           split changes a bit. The result may be the operand's memory where elements are as wide.
// Order     Whole vectors first; what is left takes the last elements again, or where these may be
//           written over a padded vector.
// Checked   Tests/MartletKernelsTests/Float32MapTests.swift
//===----------------------------------------------------------------------===//

import MartletRuntime

/// How a tensor is walked by loops for multiples of `lanes` elements.
struct ElementRuns: Sendable {
  /// Chunks of fewer elements than this are not worth a wake-up.
  static let grain = 1 << 13
  /// The most lanes of a vector of four-byte elements.
  private static let unit = 64

  typealias Loop = (_ x: UnsafeRawPointer, _ count: Int, _ y: UnsafeMutableRawPointer) -> Void

  /// The bytes of an element of the operand and of the result.
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

  /// One piece, of which a rest that fills no vector is copied to one.
  func run(
    _ x: UnsafeRawPointer, _ count: Int, _ y: UnsafeMutableRawPointer, _ loop: Loop
  ) {
    let whole = count & ~(lanes &- 1)
    if whole > 0 { loop(x, whole, y) }
    let rest = count &- whole
    guard rest > 0 else { return }
    if whole > 0, UnsafeRawPointer(y) != x {
      // Nothing is written over yet: the last vector may begin before the rest.
      let last = count &- lanes
      return loop(x + last &* size.x, lanes, y + last &* size.y)
    }
    var memory = InlineArray<2, SIMD64<UInt8>>(repeating: .zero)
    withUnsafeMutableBytes(of: &memory) { bytes in
      guard let argument = bytes.baseAddress else { return }
      let result = argument + 64
      argument.copyMemory(from: x + whole &* size.x, byteCount: rest &* size.x)
      loop(argument, lanes, result)
      (y + whole &* size.y).copyMemory(from: result, byteCount: rest &* size.y)
    }
  }
}
