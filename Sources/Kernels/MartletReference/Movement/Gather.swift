//===--- Gather.swift - GATHER, GATHER_ND ---------------------------------===//
//
// Slices of a tensor, chosen by an index tensor.
//
// Contract  Indices are checked before anything is written. The first one out of range is
//           returned, and the output stays unchanged.
// Cost      One pass over the output, slices copied as runs of bytes.
//===----------------------------------------------------------------------===//

/// The extents of a GATHER.
@usableFromInline
package struct GatherExtents: Sendable {
  /// The number of independent gathers, each with its own indices.
  @usableFromInline
  package var batches: Int
  /// The product of the extents between the batches and the axis.
  @usableFromInline
  package var outer: Int
  /// The input's extent along the axis.
  @usableFromInline
  package var axis: Int
  /// The number of indices of a batch.
  @usableFromInline
  package var indices: Int
  /// The bytes of a slice that one index selects.
  @usableFromInline
  package var run: Int

  package init(batches: Int, outer: Int, axis: Int, indices: Int, run: Int) {
    self.batches = batches
    self.outer = outer
    self.axis = axis
    self.indices = indices
    self.run = run
  }
}

extension Reference {
  /// y[b, o, i] = x[b, o, indices[b, i]], of `extents.run` bytes each.
  @export(implementation)
  package static func gather<Index: FixedWidthInteger>(
    _ x: UnsafeRawPointer, _ indices: UnsafeMutableBufferPointer<Index>, _ extents: GatherExtents,
    into y: UnsafeMutableRawPointer
  ) throws(IndexOutOfRange) {
    for index in indices where index < 0 || index >= extents.axis {
      throw IndexOutOfRange(found: Int(clamping: index), limit: extents.axis)
    }
    var target = y
    for batch in 0..<extents.batches {
      for outer in 0..<extents.outer {
        let slices = x + (batch * extents.outer + outer) * extents.axis * extents.run
        for i in 0..<extents.indices {
          let index = Int(indices[batch * extents.indices + i])
          target.copyMemory(from: slices + index * extents.run, byteCount: extents.run)
          target += extents.run
        }
      }
    }
  }

  /// y[i] = x[indices[i, 0], indices[i, 1]...], of `run` bytes each; strides are in bytes.
  @export(implementation)
  package static func gatherND<Index: FixedWidthInteger>(
    _ x: UnsafeRawPointer, _ indices: UnsafeMutableBufferPointer<Index>, _ tuples: IndexTuples,
    run: Int, into y: UnsafeMutableRawPointer
  ) throws(IndexOutOfRange) {
    try tuples.check(indices)
    for tuple in 0..<tuples.count {
      (y + tuple * run).copyMemory(from: x + tuples.offset(tuple, indices), byteCount: run)
    }
  }
}
