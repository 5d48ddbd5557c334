//===--- BroadcastRuns.swift - runs of two operands -----------------------===//
//
// Splits two broadcast operands and a result into runs for microkernels. A run is contiguous in the
// result, and in each operand contiguous or one element. If an operand's short rows are repeated,
// such as a vector over the channels, several copies are laid out consecutively first to make runs
// longer.
//
// Contract  Each element of the result is written once, by the same function at every position, so
//           results do not depend on the split. The result may be an operand's memory if it has the
//           same size.
// Order     Whole vectors first. The remainder recomputes the last vector of the run; if the result
//           overwrites an operand, the remainder uses a padded vector instead.
// Cost      No allocation. Up to 4 KiB of the stack.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// The joint traversal of two operands, in pieces for the workers.
package struct BroadcastRuns: Sendable {
  /// The smallest number of elements of a chunk that justifies waking a worker.
  static let grain = 1 << 12
  /// The length of the laid out copies of repeated rows, in bytes.
  static let rowBytes = 4 << 10

  /// Computes a number of elements that is a multiple of the lanes.
  package typealias Loop = (BinaryRun) -> Void

  private let walk: Broadcast
  /// The bytes per element of each operand and of the result.
  private let size: (a: Int, b: Int, y: Int)
  private let lanes: Int
  private let chunks: Int
  /// The number of rows that are processed at a time.
  private let joined: Int
  /// Whether the joined rows repeat `b`; otherwise they repeat `a`.
  private let repeatsB: Bool

  /// Creates the traversal of two operands with `size` bytes per element. Loops take multiples of
  /// `lanes` elements, at most 64 bytes.
  package init(_ walk: Broadcast, size: (a: Int, b: Int, y: Int), lanes: Int, workers: Int) {
    self.walk = walk
    self.size = size
    self.lanes = lanes
    let stride = walk.strides.first ?? .zero
    repeatsB = stride[1] == 0
    let contiguous = repeatsB ? stride[0] : stride[1]
    let isRepeated =
      walk.rank == 1 && walk.steps[0] == 1 && walk.steps[1] == 1 && contiguous == walk.run
    let rowSize = walk.run &* (repeatsB ? size.b : size.a)
    joined =
      isRepeated && rowSize > 0 && BroadcastRuns.rowBytes <= StackMemory.limit
      ? min(max(BroadcastRuns.rowBytes / rowSize, 1), walk.runCount) : 1
    chunks = Schedule.shortChunks(
      of: walk.rank == 0 ? walk.run : walk.runCount, work: walk.shape.elementCount,
      grain: BroadcastRuns.grain, workers: workers)
  }

  /// Calls `loop` until every element of the result is written.
  package func forEach(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into y: UnsafeMutableRawPointer,
    workers: Workers, _ loop: Loop
  ) {
    guard walk.shape.elementCount > 0 else { return }
    workers.perform(chunks) { chunk in
      if walk.rank == 0 {
        let part = part(chunk, of: walk.run, unit: 64)
        run(
          a + part.lowerBound &* walk.steps[0] &* size.a,
          b + part.lowerBound &* walk.steps[1] &* size.b, part.count,
          y + part.lowerBound &* size.y, loop)
      } else if joined > 1 {
        join(part(chunk, of: walk.runCount, unit: 1), a, b, y, loop)
      } else {
        walk.forEachRun(in: part(chunk, of: walk.runCount, unit: 1)) { start, offsets in
          run(
            a + offsets[0] &* size.a, b + offsets[1] &* size.b, walk.run, y + start &* size.y,
            loop)
        }
      }
    }
  }

  /// The part of `extent` elements of one chunk, in multiples of `unit`.
  private func part(_ chunk: Int, of extent: Int, unit: Int) -> Range<Int> {
    let units = (extent + unit - 1) / unit
    return min(
      units * chunk / chunks * unit, extent)..<min(
        units * (chunk + 1) / chunks * unit, extent)
  }

  /// Processes several rows at a time if one operand repeats its row.
  private func join(
    _ rows: Range<Int>, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer,
    _ y: UnsafeMutableRawPointer, _ loop: Loop
  ) {
    let rowSize = walk.run &* (repeatsB ? size.b : size.a)
    let joined = min(joined, rows.count)
    StackMemory.with(joined &* rowSize) { memory in
      for row in 0..<joined {
        (memory + row &* rowSize).copyMemory(from: repeatsB ? b : a, byteCount: rowSize)
      }
      for first in stride(from: rows.lowerBound, to: rows.upperBound, by: joined) {
        let start = first &* walk.run
        let count = min(joined, rows.upperBound &- first) &* walk.run
        run(
          repeatsB ? a + start &* size.a : UnsafeRawPointer(memory),
          repeatsB ? UnsafeRawPointer(memory) : b + start &* size.b, count, y + start &* size.y,
          loop)
      }
    }
  }

  /// Processes one run. A remainder shorter than a vector is copied to a padded vector.
  private func run(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int, _ y: UnsafeMutableRawPointer,
    _ loop: Loop
  ) {
    let (aStep, bStep) = (walk.steps[0], walk.steps[1])
    let whole = count & ~(lanes &- 1)
    if whole > 0 { loop(binaryRun(a, b, whole, y)) }
    let rest = count &- whole
    guard rest > 0 else { return }
    if whole > 0, UnsafeRawPointer(y) != a, UnsafeRawPointer(y) != b {
      // The operands are not overwritten, so the last vector may overlap elements that are already
      // done.
      let last = count &- lanes
      return loop(
        binaryRun(
          a + last &* aStep &* size.a, b + last &* bStep &* size.b, lanes, y + last &* size.y))
    }
    var memory = (SIMD64<UInt8>.zero, SIMD64<UInt8>.zero, SIMD64<UInt8>.zero)
    withUnsafeMutableBytes(of: &memory) { bytes in
      guard let left = bytes.baseAddress else { return }
      let (right, result) = (left + 64, left + 128)
      left.copyMemory(
        from: a + whole &* aStep &* size.a, byteCount: (aStep == 0 ? 1 : rest) &* size.a)
      right.copyMemory(
        from: b + whole &* bStep &* size.b, byteCount: (bStep == 0 ? 1 : rest) &* size.b)
      loop(binaryRun(left, right, lanes, result))
      (y + whole &* size.y).copyMemory(from: result, byteCount: rest &* size.y)
    }
  }

  @inline(__always)
  private func binaryRun(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int, _ y: UnsafeMutableRawPointer
  ) -> BinaryRun {
    BinaryRun(
      a: Operand(a, isRepeated: walk.steps[0] == 0), b: Operand(b, isRepeated: walk.steps[1] == 0),
      count: count, y: y)
  }
}
