//===--- ReverseSequence.swift - REVERSE_SEQUENCE -------------------------===//
//
// y[b, t] = x[b, lengths[b] - 1 - t] for t < lengths[b], x[b, t] otherwise
//
// Contract  TFLite REVERSE_SEQUENCE; the axes of b and t in either order, with other axes
//           before, between and after them. Lengths are checked before anything is written.
// Cost      One pass, runs of bytes.
//===----------------------------------------------------------------------===//

import MartletBase

/// The extents of a REVERSE_SEQUENCE.
@usableFromInline
package struct SequenceExtents: Sendable {
  /// The products of the extents before both axes, and between them.
  @usableFromInline
  let outer: Int
  @usableFromInline
  let middle: Int
  /// The extents of the outer and of the inner axis.
  @usableFromInline
  let first: Int
  @usableFromInline
  let second: Int
  /// The bytes of the axes after both.
  @usableFromInline
  let run: Int
  /// Whether the outer axis is that of the sequences' elements.
  @usableFromInline
  let isTimeFirst: Bool

  package init(_ shape: Shape, time: Int, batch: Int, elementSize: Int) {
    let (first, second) = (min(time, batch), max(time, batch))
    outer = shape.product(0..<first)
    middle = shape.product(first + 1..<second)
    self.first = shape[first]
    self.second = shape[second]
    run = shape.product(second + 1..<shape.rank) * elementSize
    isTimeFirst = time < batch
  }

  /// The number of elements of a sequence.
  @export(implementation)
  var time: Int { isTimeFirst ? first : second }
}

extension Reference {
  /// Reverses the first `lengths[b]` elements of each sequence b.
  @export(implementation)
  package static func reverseSequences<Length: FixedWidthInteger>(
    _ x: UnsafeRawPointer, lengths: UnsafeMutableBufferPointer<Length>,
    _ extents: SequenceExtents, into y: UnsafeMutableRawPointer
  ) throws(IndexOutOfRange) {
    for length in lengths where length < 0 || length > extents.time {
      throw IndexOutOfRange(found: Int(clamping: length), limit: extents.time + 1)
    }
    var target = y
    for outer in 0..<extents.outer {
      for i in 0..<extents.first {
        for middle in 0..<extents.middle {
          for j in 0..<extents.second {
            let length = Int(lengths[extents.isTimeFirst ? j : i])
            var (row, column) = (i, j)
            if extents.isTimeFirst, i < length { row = length - 1 - i }
            if !extents.isTimeFirst, j < length { column = length - 1 - j }
            let slice = (outer * extents.first + row) * extents.middle + middle
            target.copyMemory(
              from: x + (slice * extents.second + column) * extents.run,
              byteCount: extents.run)
            target += extents.run
          }
        }
      }
    }
  }
}
