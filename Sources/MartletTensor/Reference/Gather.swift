//===--- Gather.swift - GATHER, GATHER_ND ---------------------------------===//
//
// Slices of a tensor, chosen by an index tensor.
//
// Contract  Indices are checked before anything is written: the first that is out of range is
//           returned, and the output is left as it was.
// Cost      One pass over the output, slices copied as runs of bytes.
// Checked   Tests/MartletTensorTests/GatherTests.swift
//===----------------------------------------------------------------------===//

/// An index that names no slice, and how many slices there are.
@usableFromInline
package struct GatherFailure: Error, Equatable, Sendable {
  @usableFromInline
  package let found: Int
  @usableFromInline
  package let limit: Int

  @inlinable
  package init(found: Int, limit: Int) {
    self.found = found
    self.limit = limit
  }
}

/// The extents of a GATHER.
@usableFromInline
package struct GatherExtents: Sendable {
  /// Independent gathers, each with indices of its own.
  @usableFromInline
  package var batches: Int
  /// Slices of the input that each index takes from, between the batches and the axis.
  @usableFromInline
  package var outer: Int
  /// The input's extent along the axis.
  @usableFromInline
  package var axis: Int
  /// Indices in a batch.
  @usableFromInline
  package var indices: Int
  /// Bytes of what one index takes.
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
  @inlinable
  package static func gather<Index: FixedWidthInteger>(
    _ x: UnsafeRawPointer, _ indices: UnsafeMutableBufferPointer<Index>, _ extents: GatherExtents,
    into y: UnsafeMutableRawPointer
  ) throws(GatherFailure) {
    for index in indices where index < 0 || Int(index) >= extents.axis {
      throw GatherFailure(found: Int(index), limit: extents.axis)
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

  /// y[i] = x[indices[i, 0], indices[i, 1]...], of `run` bytes each.
  ///
  /// `axes` holds the extent and the byte stride of each axis that a tuple of indices names.
  @inlinable
  package static func gatherND<Index: FixedWidthInteger>(
    _ x: UnsafeRawPointer, _ indices: UnsafeMutableBufferPointer<Index>, tuples: Int,
    axes: [(extent: Int, stride: Int)], run: Int, into y: UnsafeMutableRawPointer
  ) throws(GatherFailure) {
    for (i, index) in indices.enumerated() {
      let extent = axes[i % axes.count].extent
      if index < 0 || Int(index) >= extent {
        throw GatherFailure(found: Int(index), limit: extent)
      }
    }
    for tuple in 0..<tuples {
      var offset = 0
      for (i, axis) in axes.enumerated() {
        offset += Int(indices[tuple * axes.count + i]) * axis.stride
      }
      (y + tuple * run).copyMemory(from: x + offset, byteCount: run)
    }
  }
}
