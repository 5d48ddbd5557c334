//===--- Broadcast.swift - broadcasting of up to four operands ------------===//
//
// NumPy's broadcasting: shapes are aligned at their last axes, and an extent of 1 is repeated. The
// traversal is precomputed. Axes along which all operands continue in the same way are merged. So
// equal shapes, a scalar, and a vector over the channels all become loops over long runs.
//
// Contract  Offsets are in elements. The result is written in order, each element once. A shape
//           without elements has no runs.
// Cost      No index arithmetic within a run; a few operations between runs; no allocation.
//===----------------------------------------------------------------------===//

/// The mapping of up to four operands' elements to those of a result.
@usableFromInline
package struct Broadcast: Sendable {
  /// The result's extents.
  @usableFromInline
  package let shape: Shape

  /// The number of elements of a run, contiguous in the result.
  @usableFromInline
  package let run: Int
  /// For each operand: 1 if a run advances through it, 0 if it stays at one element.
  @usableFromInline
  package let steps: SIMD4<Int>
  /// The axes outside a run, outermost first.
  @usableFromInline
  package let rank: Int
  @usableFromInline
  package let extents: SIMD8<Int>
  @usableFromInline
  package let strides: [SIMD4<Int>]

  /// The traversal of `operands` for a result of `shape`.
  ///
  /// - Precondition: Each of at most four operands has the result's extent or 1 along every axis,
  /// aligned at the last, and no more axes than the result.
  package init(_ operands: [Shape], over shape: Shape) {
    var extents: [Int] = []
    var strides: [SIMD4<Int>] = []
    let operandStrides = operands.map { $0.broadcastStrides(to: shape) }
    for axis in 0..<shape.rank where shape[axis] != 1 {
      var stride = SIMD4<Int>(repeating: 0)
      for (index, all) in operandStrides.enumerated() { stride[index] = all[axis] }
      if let outer = strides.last, outer == stride &* SIMD4(repeating: shape[axis]) {
        extents[extents.count - 1] &*= shape[axis]
        strides[strides.count - 1] = stride
      } else {
        extents.append(shape[axis])
        strides.append(stride)
      }
    }
    self.shape = shape
    run = extents.popLast() ?? 1
    steps = strides.popLast() ?? SIMD4(repeating: 0)
    rank = extents.count
    var lanes = SIMD8<Int>(repeating: 1)
    for axis in 0..<extents.count { lanes[axis] = extents[axis] }
    self.extents = lanes
    self.strides = strides
  }

  /// The number of runs.
  @export(implementation)
  package var runCount: Int { shape.elementCount / Swift.max(run, 1) }

  /// Whether each run uses one element of the first operand, in order.
  package var makesOneOfEachRun: Bool {
    steps[0] == 0 && (rank == 0 || rank == 1 && strides[0][0] == 1)
  }

  /// Calls `body` once for each run, in the result's order, with the offsets of its first element
  /// in the result and in each operand.
  @export(implementation) @inline(__always)
  package func forEachRun(_ body: (_ output: Int, _ operands: SIMD4<Int>) -> Void) {
    forEachRun(in: 0..<runCount, body)
  }

  /// The same for a range of the runs.
  @export(implementation) @inline(__always)
  package func forEachRun(
    in range: Range<Int>, _ body: (_ output: Int, _ operands: SIMD4<Int>) -> Void
  ) {
    guard !range.isEmpty else { return }
    var place = place(ofRun: range.lowerBound)
    for index in range {
      body(index &* run, place.offsets)
      advance(&place)
    }
  }

  /// Calls `body` once for each piece of a run, as `forEachRun` does, with its number of elements.
  /// The pieces are distributed among workers.
  @export(implementation) @inline(__always)
  package func forEachPiece(
    _ workers: Workers, _ body: (_ output: Int, _ operands: SIMD4<Int>, _ count: Int) -> Void
  ) {
    workers.split(shape.elementCount, grain: Broadcast.grain) { part in
      guard !part.isEmpty else { return }
      var start = part.lowerBound
      var skipped = start % run
      var place = place(ofRun: start / run)
      while start < part.upperBound {
        let count = Swift.min(run &- skipped, part.upperBound &- start)
        body(start, place.offsets &+ steps &* SIMD4(repeating: skipped), count)
        start &+= count
        skipped = 0
        advance(&place)
      }
    }
  }

  /// With fewer elements, waking another worker does not pay off.
  @usableFromInline
  static let grain = 1 << 13

  /// The position of a run along the outer axes, and the offset of its first element in each
  /// operand.
  @usableFromInline
  typealias Place = (position: SIMD8<Int>, offsets: SIMD4<Int>)

  @usableFromInline @inline(never)
  func place(ofRun index: Int) -> Place {
    var place = (position: SIMD8<Int>(repeating: 0), offsets: SIMD4<Int>(repeating: 0))
    var rest = index
    for axis in (0..<rank).reversed() {
      place.position[axis] = rest % extents[axis]
      rest /= extents[axis]
      place.offsets &+= strides[axis] &* SIMD4(repeating: place.position[axis])
    }
    return place
  }

  /// Advances to the next run. Not inlined, so that each loop over runs contains only its own work.
  @usableFromInline @inline(never)
  func advance(_ place: inout Place) {
    var axis = rank &- 1
    while axis >= 0 {
      place.position[axis] &+= 1
      place.offsets &+= strides[axis]
      if place.position[axis] < extents[axis] { break }
      place.offsets &-= strides[axis] &* SIMD4(repeating: extents[axis])
      place.position[axis] = 0
      axis &-= 1
    }
  }

  /// The traversal with the first two operands swapped.
  @export(implementation)
  package var swapped: Broadcast {
    Broadcast(
      shape: shape, run: run, steps: steps.swapped, rank: rank, extents: extents,
      strides: strides.map { $0.swapped })
  }

  @export(implementation)
  init(
    shape: Shape, run: Int, steps: SIMD4<Int>, rank: Int, extents: SIMD8<Int>,
    strides: [SIMD4<Int>]
  ) {
    self.shape = shape
    self.run = run
    self.steps = steps
    self.rank = rank
    self.extents = extents
    self.strides = strides
  }
}

extension SIMD4<Int> {
  /// The first two elements, swapped.
  @export(implementation)
  var swapped: SIMD4<Int> { SIMD4(self[1], self[0], self[2], self[3]) }
}

extension Shape {
  /// The extents that operands of shapes `self` and `other` are broadcast to, or the first axis of
  /// the result, counted from the outermost, along which they do not match.
  package func broadcast(with other: Shape) throws(BroadcastMismatch) -> Shape {
    let rank = Swift.max(self.rank, other.rank)
    var extents: [Int] = []
    for axis in 0..<rank {
      let left = axis - (rank - self.rank)
      let right = axis - (rank - other.rank)
      let found = left >= 0 ? self[left] : 1
      let expected = right >= 0 ? other[right] : 1
      guard found == expected || found == 1 || expected == 1 else {
        throw .extents(axis: axis, found: expected, expected: found)
      }
      extents.append(found == 1 ? expected : found)
    }
    guard let shape = Shape(checking: extents) else { throw .tooLarge }
    return shape
  }

  /// Element strides along the axes of `shape`: 0 for axes along which this shape is repeated.
  fileprivate func broadcastStrides(to shape: Shape) -> [Int] {
    let missing = shape.rank - rank
    var strides = [Int](repeating: 0, count: shape.rank)
    var stride = 1
    for axis in (0..<rank).reversed() {
      if self[axis] != 1 { strides[axis + missing] = stride }
      stride &*= self[axis]
    }
    return strides
  }
}

/// An error of broadcasting two shapes.
@usableFromInline
package enum BroadcastMismatch: Error, Equatable, Sendable {
  /// Along `axis` of the result, the extents differ and neither is 1.
  case extents(axis: Int, found: Int, expected: Int)
  /// The result has more elements than a shape may have.
  case tooLarge
}
