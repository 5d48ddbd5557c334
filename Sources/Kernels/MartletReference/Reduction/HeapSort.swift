//===--- HeapSort.swift - heap sort in place ------------------------------===//
//
// Heap sort in place, since kernels must not allocate.
//
// Contract  `precedes` is a total order: the result does not depend on the algorithm. For any
//           other predicate elements are only swapped.
// Cost      O(n log n), in place.
//===----------------------------------------------------------------------===//

extension Reference {
  /// Whether an element is NaN.
  @export(implementation) @inline(__always)
  static func isUnordered<Scalar: Equatable>(_ x: Scalar) -> Bool { x != x }

  /// Moves the element at `start` down in the first `count` elements, a heap with the last element
  /// at its top, until neither of its children follows it.
  @export(implementation)
  package static func siftDown<Scalar>(
    _ elements: UnsafeMutableBufferPointer<Scalar>, from start: Int, count: Int,
    by precedes: (Scalar, Scalar) -> Bool
  ) {
    var root = start
    while 2 * root + 1 < count {
      var child = 2 * root + 1
      if child + 1 < count, precedes(elements[child], elements[child + 1]) { child += 1 }
      guard precedes(elements[root], elements[child]) else { return }
      elements.swapAt(root, child)
      root = child
    }
  }

  /// Makes a heap of the first `count` elements, with the last element of the order at its top.
  @export(implementation)
  package static func makeHeap<Scalar>(
    _ elements: UnsafeMutableBufferPointer<Scalar>, count: Int,
    by precedes: (Scalar, Scalar) -> Bool
  ) {
    for start in stride(from: count / 2 - 1, through: 0, by: -1) {
      siftDown(elements, from: start, count: count, by: precedes)
    }
  }

  /// Sorts the first `count` elements, a heap with the last element of the order at its top.
  @export(implementation)
  package static func sortHeap<Scalar>(
    _ elements: UnsafeMutableBufferPointer<Scalar>, count: Int,
    by precedes: (Scalar, Scalar) -> Bool
  ) {
    for end in stride(from: count - 1, to: 0, by: -1) {
      elements.swapAt(0, end)
      siftDown(elements, from: 0, count: end, by: precedes)
    }
  }

  /// Sorts the first `count` elements.
  @export(implementation)
  package static func heapSort<Scalar>(
    _ elements: UnsafeMutableBufferPointer<Scalar>, count: Int,
    by precedes: (Scalar, Scalar) -> Bool
  ) {
    makeHeap(elements, count: count, by: precedes)
    sortHeap(elements, count: count, by: precedes)
  }
}
