//===--- Lowering+Slices.swift - layers that select and permute elements --===//
//
// Each output element is at a constant distance from the one before it along the same axis.
//
// Contract  As in `Lowering.swift`. Elements of all types are moved as bytes.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Lowering {
  /// An axis of an output: its extent, and the elements of the input from one index to the next.
  private struct Axis {
    let extent: Int
    var stride: Int
  }

  mutating func lowerTranspose(_ n: Node) throws(CompileError) {
    let x = shape(n.input(0))
    let permutation = try integers(n, 1)
    guard permutation.count == x.rank else { throw inconsistent(n) }
    var axes: [Axis] = []
    var used: Set<Int> = []
    for entry in permutation {
      let axis = entry < 0 ? Int(entry) + x.rank : Int(entry)
      guard (0..<x.rank).contains(axis), used.insert(axis).inserted else { throw inconsistent(n) }
      axes.append(Axis(extent: x[axis], stride: x.product(axis + 1..<x.rank)))
    }
    try lowerCopy(n, from: 0, axes)
  }

  mutating func lowerSlice(_ n: Node) throws(CompileError) {
    let x = shape(n.input(0))
    let (begins, sizes) = (try integers(n, 1), try integers(n, 2))
    guard begins.count == x.rank, sizes.count == x.rank else { throw inconsistent(n) }
    var (start, axes) = (0, [Axis]())
    for axis in 0..<x.rank {
      let begin = Int(begins[axis])
      guard (0...x[axis]).contains(begin) else { throw inconsistent(n) }
      let size = sizes[axis] == -1 ? x[axis] - begin : Int(sizes[axis])
      guard size >= 0, size <= x[axis] - begin else { throw inconsistent(n) }
      axes.append(Axis(extent: size, stride: x.product(axis + 1..<x.rank)))
      start += begin * axes[axis].stride
    }
    try lowerCopy(n, from: start, axes)
  }

  mutating func lowerStridedSlice(_ n: Node, _ o: StridedSliceOptions) throws(CompileError) {
    guard o.ellipsisMask == 0, o.newAxisMask == 0, !o.offset else {
      return note("\(n.name) with an ellipsis, a new axis or relative ends")
    }
    let x = shape(n.input(0))
    let (begins, ends, steps) = (try integers(n, 1), try integers(n, 2), try integers(n, 3))
    guard begins.count <= x.rank, ends.count == begins.count, steps.count == begins.count,
      !steps.contains(0)
    else { throw inconsistent(n) }
    var (start, axes) = (0, [Axis]())
    for axis in 0..<x.rank {
      var (first, extent, step) = (0, x[axis], 1)
      if axis < begins.count {
        func isSet(_ mask: Int) -> Bool { mask >> axis & 1 == 1 }
        step = Int(steps[axis])
        let bounds = step > 0 ? 0...x[axis] : -1...x[axis] - 1
        func clamped(_ index: Int32) -> Int {
          min(
            max(index < 0 ? Int(index) + x[axis] : Int(index), bounds.lowerBound),
            bounds.upperBound)
        }
        first =
          isSet(o.beginMask)
          ? (step > 0 ? bounds.lowerBound : bounds.upperBound) : clamped(begins[axis])
        let end =
          isSet(o.endMask)
          ? (step > 0 ? bounds.upperBound : bounds.lowerBound) : clamped(ends[axis])
        let span = step > 0 ? end - first : first - end
        extent = isSet(o.shrinkAxisMask) ? 1 : span > 0 ? (span - 1) / abs(step) + 1 : 0
      }
      let stride = x.product(axis + 1..<x.rank)
      axes.append(Axis(extent: extent, stride: step * stride))
      start += first * stride
    }
    try lowerCopy(n, from: start, axes)
  }

  /// Appends a layer that copies the elements from `start` on along axes, the outermost first.
  private mutating func lowerCopy(
    _ n: Node, from start: Int, _ axes: [Axis]
  ) throws(CompileError) {
    guard let size = elementSize(n),
      graph.tensors[n.input(0)].type == graph.tensors[n.output].type
    else { return note("\(n.name) of \(graph.tensors[n.output].type)") }
    guard Lowering.product(axes.map(\.extent)) == shape(n.output).elementCount,
      !axes.contains(where: { $0.extent == 0 })
    else { throw inconsistent(n) }
    var (first, last) = (start, start)
    for axis in axes {
      let reach = (axis.extent - 1) * axis.stride
      if reach < 0 { first += reach } else { last += reach }
    }
    guard first >= 0, last < shape(n.input(0)).elementCount else { throw inconsistent(n) }
    // What is contiguous in the input is one run.
    var run = 1
    var outer = axes.filter { $0.extent != 1 }
    while let axis = outer.last, axis.stride == run {
      run *= axis.extent
      outer.removeLast()
    }
    guard outer.count <= 5 else { return note("\(n.name) along \(outer.count) axes") }
    let missing = [Axis](repeating: Axis(extent: 1, stride: 0), count: 5 - outer.count)
    let record = ([start, run] + (missing + outer).flatMap { [$0.extent, $0.stride] })
    let bytes = record.enumerated().map { index, number in
      // Extents are no distances.
      index >= 2 && index.isMultiple(of: 2) ? number : number * size
    }
    append(n, .copyRuns, blob.append(bytes.map { Int32(truncatingIfNeeded: $0) }), lead: nil)
  }

  private func inconsistent(_ n: Node) -> CompileError {
    .inconsistent(node: n.index, reason: "the elements to copy are not those of the output")
  }
}
