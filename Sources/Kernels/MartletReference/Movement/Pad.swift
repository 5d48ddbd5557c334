//===--- Pad.swift - PAD, PADV2, MIRROR_PAD -------------------------------===//
//
// A border around a tensor along any of its axes, filled with one element or with the tensor's own
// mirror image.
//
// Contract  Elements are moved as bytes. Mirrored amounts are at most the extent, or the extent
//           minus one if the edge itself is not repeated.
// Order     An axis' middle is written first; mirrored borders are copied from it.
// Cost      Each byte of the output is written once; contiguous bytes are copied as one run.
//===----------------------------------------------------------------------===//

import MartletBase

/// The borders to add, axes without any merged.
package struct Border: Sendable {
  /// One axis, or several without a border between them.
  struct Level {
    var before: Int
    var extent: Int
    var after: Int
    /// The bytes of one index in the input and in the output.
    var inputBytes: Int
    var outputBytes: Int
  }

  /// Outermost first; never empty. The innermost copies `extent` indices as one run.
  let levels: [Level]
  let elementSize: Int

  /// `before[axis]` and `after[axis]` indices around a tensor of `shape`, none negative, whose
  /// padded extents are a valid shape.
  package init(shape: Shape, before: [Int], after: [Int], elementSize: Int) {
    var levels: [Level] = []
    var inputBytes = elementSize
    var outputBytes = elementSize
    for axis in (0..<shape.rank).reversed() {
      if before[axis] == 0, after[axis] == 0, let inner = levels.last, inner.before == 0,
        inner.after == 0
      {
        levels[levels.count - 1].extent &*= shape[axis]
      } else {
        levels.append(
          Level(
            before: before[axis], extent: shape[axis], after: after[axis], inputBytes: inputBytes,
            outputBytes: outputBytes))
      }
      inputBytes &*= shape[axis]
      outputBytes &*= before[axis] &+ shape[axis] &+ after[axis]
    }
    // Axes inside the innermost border are part of its run.
    if levels.count > 1, levels[0].before == 0, levels[0].after == 0 { levels.removeFirst() }
    if levels.isEmpty {
      levels = [
        Level(
          before: 0, extent: 1, after: 0, inputBytes: elementSize, outputBytes: elementSize)
      ]
    }
    // An outermost axis of one index cannot be divided among workers.
    while let outer = levels.last, levels.count > 1, outer.extent == 1, outer.before == 0,
      outer.after == 0
    {
      levels.removeLast()
    }
    self.levels = levels.reversed()
    self.elementSize = elementSize
  }

  /// Copies `input` and fills the border with the element at `filler`.
  package func fill(
    _ input: UnsafeRawPointer, with filler: UnsafeRawPointer,
    into output: UnsafeMutableRawPointer, workers: Workers = .serial
  ) {
    levels.withUnsafeBufferPointer { levels in
      guard let outer = levels.first, levels.count > 1 else {
        return fill(levels[...], input, with: filler, into: output)
      }
      let middle = output + outer.before * outer.outputBytes
      Reference.fill(output, outer.before * outer.outputBytes, filler, elementSize)
      workers.split(
        outer.extent, grain: Reference.moveGrain / max(outer.outputBytes, 1)
      ) { part in
        fill(part, outer, levels.dropFirst(), input, with: filler, into: middle)
      }
      Reference.fill(
        middle + outer.extent * outer.outputBytes, outer.after * outer.outputBytes, filler,
        elementSize)
    }
  }

  /// Fills all levels.
  private func fill(
    _ levels: Slice<UnsafeBufferPointer<Level>>, _ input: UnsafeRawPointer,
    with filler: UnsafeRawPointer, into output: UnsafeMutableRawPointer
  ) {
    guard let level = levels.first else { return }
    let middle = output + level.before * level.outputBytes
    Reference.fill(output, level.before * level.outputBytes, filler, elementSize)
    if levels.count == 1 {
      Reference.move(level.extent * level.inputBytes, from: input, to: middle)
    } else {
      fill(0..<level.extent, level, levels.dropFirst(), input, with: filler, into: middle)
    }
    Reference.fill(
      middle + level.extent * level.outputBytes, level.after * level.outputBytes, filler,
      elementSize)
  }

  /// Fills some indices of a level that contains inner levels.
  private func fill(
    _ indices: Range<Int>, _ level: Level, _ inner: Slice<UnsafeBufferPointer<Level>>,
    _ input: UnsafeRawPointer, with filler: UnsafeRawPointer, into middle: UnsafeMutableRawPointer
  ) {
    if let run = inner.first, inner.count == 1, let filler = Filler(filler, elementSize) {
      return fill(indices, level, run, input, with: filler, into: middle)
    }
    for index in indices {
      fill(
        inner, input + index * level.inputBytes, with: filler,
        into: middle + index * level.outputBytes)
    }
  }

  /// Fills some indices of a level that contains only the innermost one.
  private func fill(
    _ indices: Range<Int>, _ level: Level, _ inner: Level, _ input: UnsafeRawPointer,
    with filler: Filler, into middle: UnsafeMutableRawPointer
  ) {
    let (before, after) = (inner.before * inner.outputBytes, inner.after * inner.outputBytes)
    let run = inner.extent * inner.inputBytes
    var x = input + indices.lowerBound * level.inputBytes
    var y = middle + indices.lowerBound * level.outputBytes
    for _ in indices {
      filler.fill(y, before)
      Reference.move(run, from: x, to: y + before)
      filler.fill(y + (before &+ run), after)
      x += level.inputBytes
      y += level.outputBytes
    }
  }

  /// Copies `input` and fills the border with its mirror image, which starts at the border itself
  /// (`skip` 0) or next to it (`skip` 1).
  package func mirror(
    _ input: UnsafeRawPointer, skip: Int, into output: UnsafeMutableRawPointer
  ) {
    levels.withUnsafeBufferPointer { mirror($0[...], input, skip: skip, into: output) }
  }

  private func mirror(
    _ levels: Slice<UnsafeBufferPointer<Level>>, _ input: UnsafeRawPointer, skip: Int,
    into output: UnsafeMutableRawPointer
  ) {
    guard let level = levels.first else { return }
    let middle = output + level.before * level.outputBytes
    if levels.count == 1 {
      middle.copyMemory(from: input, byteCount: level.extent * level.inputBytes)
    } else {
      for index in 0..<level.extent {
        mirror(
          levels.dropFirst(), input + index * level.inputBytes, skip: skip,
          into: middle + index * level.outputBytes)
      }
    }
    for step in 0..<level.before {
      (middle - (step + 1) * level.outputBytes).copyMemory(
        from: middle + (step + skip) * level.outputBytes, byteCount: level.outputBytes)
    }
    let end = middle + level.extent * level.outputBytes
    for step in 0..<level.after {
      (end + step * level.outputBytes).copyMemory(
        from: end - (step + skip + 1) * level.outputBytes, byteCount: level.outputBytes)
    }
  }
}
