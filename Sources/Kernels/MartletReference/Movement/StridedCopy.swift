//===--- StridedCopy.swift - rearranging elements -------------------------===//
//
// The operators that only move elements (transpose, slice, concatenate, split, tile, space to
// depth...) are one loop nest: a box of extents, with a source stride and a destination stride
// for each axis. Bytes that are contiguous on both sides are copied as one run, so one kernel
// serves all element types.
//
// Contract  Strides and starts are in bytes and stay within the two buffers; a stride of the source
//           may be zero (repeat) or negative (reverse). Elements keep their bytes. Source and
//           destination do not overlap.
// Cost      One pass over the destination; no index arithmetic within a run.
//===----------------------------------------------------------------------===//

import MartletBase

/// A rearrangement of a box of elements, precomputed.
package struct StridedCopy: Sendable {
  /// One axis of the box.
  package struct Axis: Sendable {
    package var extent: Int
    /// Bytes from one index to the next in the source and in the destination.
    package var source: Int
    package var destination: Int

    package init(extent: Int, source: Int, destination: Int) {
      self.extent = extent
      self.source = source
      self.destination = destination
    }
  }

  /// The axes outside a run, outermost first; empty if one run is all.
  let axes: [Axis]
  /// The bytes of a contiguous run; zero if the box is empty.
  let run: Int
  let sourceStart: Int
  let destinationStart: Int

  /// The copy of a box with the given axes, outermost first, of elements of `elementSize` bytes.
  package init(
    _ axes: [Axis], elementSize: Int, sourceStart: Int = 0, destinationStart: Int = 0
  ) {
    self.sourceStart = sourceStart
    self.destinationStart = destinationStart
    guard !axes.contains(where: { $0.extent == 0 }) else {
      self.axes = []
      run = 0
      return
    }
    var merged: [Axis] = []
    for axis in axes where axis.extent != 1 {
      if let outer = merged.last, outer.source == axis.source &* axis.extent,
        outer.destination == axis.destination &* axis.extent
      {
        merged[merged.count - 1] = Axis(
          extent: outer.extent &* axis.extent, source: axis.source, destination: axis.destination)
      } else {
        merged.append(axis)
      }
    }
    if let inner = merged.last, inner.source == elementSize, inner.destination == elementSize {
      run = inner.extent &* elementSize
      merged.removeLast()
    } else {
      run = elementSize
    }
    self.axes = merged
  }

  /// Copies the box.
  package func callAsFunction(
    from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer,
    workers: Workers = .serial
  ) {
    guard run > 0 else { return }
    let (source, destination) = (source + sourceStart, destination + destinationStart)
    axes.withUnsafeBufferPointer { axes in
      guard let outer = axes.first else {
        return destination.copyMemory(from: source, byteCount: run)
      }
      let indexBytes = axes.dropFirst().reduce(run) { $0 &* $1.extent }
      workers.split(outer.extent, grain: Reference.moveGrain / indexBytes) { part in
        copy(
          Axis(extent: part.count, source: outer.source, destination: outer.destination),
          axes.dropFirst(), from: source + part.lowerBound &* outer.source,
          to: destination + part.lowerBound &* outer.destination)
      }
    }
  }

  private func copy(
    _ axis: Axis, _ inner: Slice<UnsafeBufferPointer<Axis>>, from source: UnsafeRawPointer,
    to destination: UnsafeMutableRawPointer
  ) {
    guard let next = inner.first else { return copyRuns(axis, from: source, to: destination) }
    for index in 0..<axis.extent {
      copy(
        next, inner.dropFirst(), from: source + index &* axis.source,
        to: destination + index &* axis.destination)
    }
  }

  private func copyRuns(
    _ axis: Axis, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    switch run {
    case 1: copyElements(axis, as: UInt8.self, from: source, to: destination)
    case 2: copyElements(axis, as: UInt16.self, from: source, to: destination)
    case 4: copyElements(axis, as: UInt32.self, from: source, to: destination)
    case 8: copyElements(axis, as: UInt64.self, from: source, to: destination)
    case 16: copyElements(axis, as: SIMD2<UInt64>.self, from: source, to: destination)
    default:
      for index in 0..<axis.extent {
        Reference.move(
          run, from: source + index &* axis.source, to: destination + index &* axis.destination)
      }
    }
  }

  /// Runs as short as an element are moved through a register.
  @inline(__always)
  private func copyElements<Word: BitwiseCopyable>(
    _ axis: Axis, as: Word.Type, from source: UnsafeRawPointer,
    to destination: UnsafeMutableRawPointer
  ) {
    for index in 0..<axis.extent {
      let word = (source + index &* axis.source).loadUnaligned(as: Word.self)
      (destination + index &* axis.destination).storeBytes(of: word, as: Word.self)
    }
  }
}

extension Shape {
  /// Byte strides of a dense row-major tensor of this shape.
  package func strides(elementSize: Int) -> [Int] {
    var strides = [Int](repeating: elementSize, count: rank)
    for axis in (0..<rank).dropLast().reversed() {
      strides[axis] = strides[axis + 1] &* self[axis + 1]
    }
    return strides
  }
}
