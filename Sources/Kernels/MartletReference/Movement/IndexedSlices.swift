//===--- IndexedSlices.swift - slices at positions in an index tensor -----===//
//
// Some axes of a tensor of slices are those of the slices, the others those of the index tensor. Each
// of its vectors of indices is the position of a slice in an operand, along some of its axes.
//
// Contract  StableHLO's gather and scatter. Gathered slices are moved into the operand. Of scattered
//           slices the elements outside the operand are left out; the others are combined in
//           row-major order of the slices.
// Cost      One pass over the slices, with some work for each run along their last axis.
//===----------------------------------------------------------------------===//

import MartletBase

/// The positions of slices.
@usableFromInline
package struct IndexedSlices: Sendable {
  /// An axis of the tensor of slices.
  package enum Axis: Sendable {
    /// An axis of each slice, along this axis of the operand.
    case slice(operand: Int)
    /// An axis of the index tensor.
    case index(Int)
  }

  /// An axis of the tensor of slices except the last one.
  private struct Outer: Sendable {
    let extent: Int
    /// The axis of the operand; `nil` for an axis of the index tensor.
    let operand: Int?
    /// The distance between elements in the index tensor.
    let indexStride: Int
  }

  private let outer: [Outer]
  /// The run along the last axis: its extent, the axis of the operand, and the distance between
  /// elements in the index tensor.
  private let last: Outer
  private let rows: Int
  private let extents: SIMD8<Int>
  private let strides: SIMD8<Int>
  private let rank: Int
  /// The axis of the operand that each index of a vector belongs to, and its offset in the index
  /// tensor.
  private let components: [(axis: Int, offset: Int)]
  /// The largest start of a gathered slice along each axis.
  @usableFromInline
  package let room: SIMD8<Int>

  /// - Parameters:
  ///   - slices: The shape of the tensor of slices.
  ///   - axes: What its axes are.
  ///   - indices: The shape of the index tensor.
  ///   - vectorAxis: The axis of its vectors, its rank if each index is a vector of its own.
  ///   - components: The axis of the operand that each index of a vector belongs to.
  ///   - sliceExtents: The extents of a gathered slice along all axes of the operand, at most its own.
  package init(
    slices: Shape, axes: [Axis], operand: Shape, indices: Shape, vectorAxis: Int,
    components: [Int], sliceExtents: [Int]? = nil
  ) {
    let indexStrides = indices.strides(elementSize: 1)
    var all = axes.enumerated().map { index, axis in
      switch axis {
      case .slice(let operand): Outer(extent: slices[index], operand: operand, indexStride: 0)
      case .index(let axis):
        Outer(extent: slices[index], operand: nil, indexStride: indexStrides[axis])
      }
    }
    last = all.popLast() ?? Outer(extent: 1, operand: nil, indexStride: 0)
    outer = all
    rows = all.reduce(1) { $0 * $1.extent }
    rank = operand.rank
    var (extents, strides) = (SIMD8<Int>(repeating: 1), SIMD8<Int>())
    var room = SIMD8<Int>()
    for (axis, stride) in operand.strides(elementSize: 1).enumerated() {
      extents[axis] = operand[axis]
      strides[axis] = stride
      if let sliceExtents { room[axis] = operand[axis] - sliceExtents[axis] }
    }
    (self.extents, self.strides, self.room) = (extents, strides, room)
    let step = vectorAxis < indices.rank ? indexStrides[vectorAxis] : 0
    self.components = components.enumerated().map { ($1, $0 * step) }
  }

  /// A run of elements along the last axis of the tensor of slices.
  @usableFromInline
  package struct Run {
    /// The offset of the run's first element in the slices, whose elements are adjacent.
    @usableFromInline package var slice: Int
    /// The offset of the run's first element in the operand, and the distance to the next.
    @usableFromInline package var operand: Int
    @usableFromInline package let step: Int
    @usableFromInline package var count: Int
  }

  /// Calls `body` with each run of slices that are moved into the operand.
  @export(implementation) @inline(__always)
  package func forEachGatheredRun<Index: FixedWidthInteger>(
    _ indices: UnsafeMutableBufferPointer<Index>, _ body: (Run) -> Void
  ) {
    forEachPosition(indices) { slice, start, within in
      let start = start.clamped(lowerBound: SIMD8(), upperBound: room)
      body(run(slice: slice, at: start &+ within))
    }
  }

  /// Calls `body` with the part in the operand of each run of slices.
  @export(implementation) @inline(__always)
  package func forEachScatteredRun<Index: FixedWidthInteger>(
    _ indices: UnsafeMutableBufferPointer<Index>, _ body: (Run) -> Void
  ) {
    forEachPosition(indices) { slice, start, within in
      if let run = clippedRun(slice: slice, at: start &+ within) { body(run) }
    }
  }

  /// Calls `body` with the index of the first element of each run, its slice's start in the operand,
  /// and its place within the slice.
  @export(implementation) @inline(__always)
  package func forEachPosition<Index: FixedWidthInteger>(
    _ indices: UnsafeMutableBufferPointer<Index>,
    _ body: (_ slice: Int, _ start: SIMD8<Int>, _ within: SIMD8<Int>) -> Void
  ) {
    let runs = runsPerRow
    for row in 0..<rowCount {
      let (vector, within) = place(ofRow: row)
      for run in 0..<runs {
        var start = SIMD8<Int>()
        for component in 0..<componentCount {
          let (axis, offset) = self.component(component)
          let index = indices[vector &+ run &* lastIndexStride &+ offset]
          // No extent is beyond these bounds.
          start[axis] = min(max(Int(clamping: index), Int.min >> 1), Int.max >> 1)
        }
        body(row &* lastExtent &+ run, start, within)
      }
    }
  }

  /// The number of runs of slices.
  package var runCount: Int { rows * runsPerRow }

  @usableFromInline
  package var rowCount: Int { rows }
  @usableFromInline
  package var runsPerRow: Int { last.operand == nil ? last.extent : 1 }
  @usableFromInline
  package var lastExtent: Int { last.extent }
  @usableFromInline
  package var lastIndexStride: Int { last.indexStride }
  @usableFromInline
  package var componentCount: Int { components.count }
  @usableFromInline
  package func component(_ index: Int) -> (axis: Int, offset: Int) { components[index] }

  /// The offset of a row's first vector in the index tensor, and the place of its first element
  /// within the slice.
  @usableFromInline
  package func place(ofRow row: Int) -> (vector: Int, within: SIMD8<Int>) {
    var (rest, vector) = (row, 0)
    var within = SIMD8<Int>()
    for axis in outer.reversed() {
      let index = rest % axis.extent
      rest /= axis.extent
      vector &+= index &* axis.indexStride
      if let operand = axis.operand { within[operand] = index }
    }
    return (vector, within)
  }

  /// A run that begins at a position in the operand.
  @usableFromInline
  package func run(slice: Int, at position: SIMD8<Int>) -> Run {
    Run(
      slice: slice, operand: (position &* strides).wrappedSum(),
      step: last.operand.map { strides[$0] } ?? 0, count: last.operand == nil ? 1 : last.extent)
  }

  /// The part in the operand of a run that begins at a position inside or outside.
  @usableFromInline
  package func clippedRun(slice: Int, at position: SIMD8<Int>) -> Run? {
    var run = run(slice: slice, at: position)
    for axis in 0..<rank where axis != last.operand {
      guard position[axis] >= 0, position[axis] < extents[axis] else { return nil }
    }
    if let axis = last.operand {
      let first = max(0, 0 &- position[axis])
      let end = min(run.count, extents[axis] &- position[axis])
      guard first < end else { return nil }
      run.slice &+= first
      run.operand = ((position &* strides).wrappedSum()) &+ first &* run.step
      run.count = end &- first
    }
    return run
  }
}

extension IndexedSlices {
  /// Copies the slices of `x`, elements of type `Word`.
  @export(implementation)
  package func gather<Index: FixedWidthInteger, Word: BitwiseCopyable>(
    _ x: UnsafePointer<Word>, _ indices: UnsafeMutableBufferPointer<Index>,
    into y: UnsafeMutablePointer<Word>
  ) {
    forEachGatheredRun(indices) { run in
      for i in 0..<run.count { y[run.slice &+ i] = x[run.operand &+ i &* run.step] }
    }
  }

  /// Combines the elements of `y` with those of the slices.
  @export(implementation)
  package func scatter<Index: FixedWidthInteger, Word: BitwiseCopyable>(
    _ slices: UnsafePointer<Word>, _ indices: UnsafeMutableBufferPointer<Index>,
    into y: UnsafeMutablePointer<Word>, _ combine: (Word, Word) -> Word
  ) {
    forEachScatteredRun(indices) { run in
      for i in 0..<run.count {
        let place = run.operand &+ i &* run.step
        y[place] = combine(y[place], slices[run.slice &+ i])
      }
    }
  }
}
