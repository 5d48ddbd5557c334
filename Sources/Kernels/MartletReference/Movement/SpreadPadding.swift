//===--- SpreadPadding.swift - elements around and between others ---------===//
//
// y is filled with one element. Along each axis, the elements of x lie `spacing` apart in it, from
// the index `before`; those that lie outside are left out.
//
// Contract  StableHLO's pad. Elements are moved as bytes.
// Cost      One pass over the output, one over the input.
//===----------------------------------------------------------------------===//

import MartletBase

/// The elements to add before, after and between those of one axis.
package struct AxisPadding: Sendable {
  package let input: Int
  /// The index of the first element of the input in the result; it may be negative.
  package let before: Int
  /// The distance between neighbors of the input in the result.
  package let spacing: Int
  /// The result's extent.
  package let result: Int

  /// Negative numbers before and after the elements remove some. Returns `nil` if the result has a
  /// negative extent, or one of more than `Int32.max`.
  ///
  /// - Precondition: `spacing` is positive; all numbers fit in 32 bits.
  package init?(input: Int, before: Int, after: Int, spacing: Int) {
    let extent = AxisPadding.extent(input, before: before, after: after, spacing: spacing)
    guard let result = Int32(exactly: extent), result >= 0 else { return nil }
    self.input = input
    self.before = before
    self.spacing = spacing
    self.result = Int(result)
  }

  /// The extent of a result, which may be negative or too large.
  package static func extent(_ input: Int, before: Int, after: Int, spacing: Int) -> Int64 {
    let spread = input == 0 ? 0 : Int64(input - 1) * Int64(spacing) + 1
    return spread + Int64(before) + Int64(after)
  }

  /// Whether the result is the input.
  package var isIdentity: Bool { before == 0 && result == input && (spacing == 1 || input <= 1) }

  /// The elements of the input that lie in the result.
  var kept: Range<Int> {
    let first = before < 0 ? (spacing - 1 - before) / spacing : 0
    // The number of elements before the result's end.
    let end = before < result ? (result - 1 - before) / spacing + 1 : 0
    return min(first, input)..<max(min(end, input), min(first, input))
  }
}

/// A padding of all axes of a tensor.
package struct SpreadPadding: Sendable {
  private let copy: StridedCopy
  private let byteCount: Int
  private let elementSize: Int

  /// - Precondition: The results' extents are a valid shape.
  package init(_ axes: [AxisPadding], elementSize: Int) {
    let source = Shape(axes.map { $0.input }).strides(elementSize: elementSize)
    let result = Shape(axes.map { $0.result })
    let destination = result.strides(elementSize: elementSize)
    var box: [StridedCopy.Axis] = []
    var (sourceStart, destinationStart) = (0, 0)
    for (index, axis) in axes.enumerated() {
      let kept = axis.kept
      let start = axis.before &+ kept.lowerBound &* axis.spacing
      sourceStart &+= kept.lowerBound &* source[index]
      destinationStart &+= start &* destination[index]
      box.append(
        StridedCopy.Axis(
          extent: kept.count, source: source[index],
          destination: axis.spacing &* destination[index]))
    }
    copy = StridedCopy(
      box, elementSize: elementSize, sourceStart: sourceStart, destinationStart: destinationStart)
    byteCount = result.elementCount * elementSize
    self.elementSize = elementSize
  }

  /// Fills `y` with the element at `filler`, and copies the elements of `x` that lie in it.
  package func callAsFunction(
    _ x: UnsafeRawPointer, filler: UnsafeRawPointer, into y: UnsafeMutableRawPointer,
    workers: Workers = .serial
  ) {
    Reference.fill(y, byteCount, filler, elementSize)
    copy(from: x, to: y, workers: workers)
  }
}
