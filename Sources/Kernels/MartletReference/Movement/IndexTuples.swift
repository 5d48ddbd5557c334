//===--- IndexTuples.swift - positions in an index tensor -----------------===//
//
// GATHER_ND, SCATTER_ND and SPARSE_TO_DENSE address positions in a tensor by tuples of indices, one
// for each of its outermost axes.
//
// Contract  Indices come from outside: call `check` before `offset`.
//===----------------------------------------------------------------------===//

import MartletBase

/// An index out of range, and the extent of its axis.
@usableFromInline
package struct IndexOutOfRange: Error, Equatable, Sendable {
  @usableFromInline
  package let found: Int
  @usableFromInline
  package let limit: Int

  @export(implementation)
  package init(found: Int, limit: Int) {
    self.found = found
    self.limit = limit
  }
}

/// Tuples of indices into a tensor.
@usableFromInline
package struct IndexTuples: Sendable {
  /// The number of tuples.
  @usableFromInline
  package let count: Int
  /// The extent and the stride of each indexed axis.
  @usableFromInline
  package let axes: [(extent: Int, stride: Int)]

  /// Creates `count` tuples for the outermost `depth` axes of a dense tensor of `shape`, whose
  /// elements are `elementSize` strides apart.
  package init(count: Int, depth: Int, of shape: Shape, elementSize: Int) {
    let strides = shape.strides(elementSize: elementSize)
    self.count = count
    axes = (0..<depth).map { (extent: shape[$0], stride: strides[$0]) }
  }

  /// Throws for the first index that is out of range.
  @export(implementation)
  package func check<Index: FixedWidthInteger>(
    _ indices: UnsafeMutableBufferPointer<Index>
  ) throws(IndexOutOfRange) {
    for tuple in 0..<count {
      for (i, axis) in axes.enumerated() {
        let index = indices[tuple * axes.count + i]
        if index < 0 || index >= axis.extent {
          throw IndexOutOfRange(found: Int(clamping: index), limit: axis.extent)
        }
      }
    }
  }

  /// The offset of tuple `tuple` in strides.
  @export(implementation)
  package func offset<Index: FixedWidthInteger>(
    _ tuple: Int, _ indices: UnsafeMutableBufferPointer<Index>
  ) -> Int {
    var offset = 0
    for (i, axis) in axes.enumerated() {
      offset += Int(truncatingIfNeeded: indices[tuple * axes.count + i]) * axis.stride
    }
    return offset
  }
}
