//===--- Unique.swift - UNIQUE --------------------------------------------===//
//
// Each distinct element once, in the order of first occurrence, and for each input element the
// index of its value.
//
// Contract  TFLite UNIQUE. Elements are equal if neither is less than the other. NaN equals NaN and
//           is greater than all numbers; LiteRT's result for NaN depends on the order.
// Cost      O(n log n), in place: `order` and `first` have room for an index of each element.
//===----------------------------------------------------------------------===//

extension Reference {
  /// Whether a is less than b in a total order of all values.
  @export(implementation)
  static func isLess<Scalar: Comparable>(_ a: Scalar, _ b: Scalar) -> Bool {
    // Only NaN differs from itself.
    a < b || (a == a && b != b)
  }

  /// Stores in `first` for each element of `x` the lowest index of an element that equals it, and
  /// returns how many different elements there are.
  @export(implementation)
  package static func firstOccurrences<Scalar: Comparable>(
    _ x: UnsafeMutableBufferPointer<Scalar>, order: UnsafeMutableBufferPointer<Int32>,
    first: UnsafeMutableBufferPointer<Int32>
  ) -> Int {
    for i in 0..<x.count { order[i] = Int32(truncatingIfNeeded: i) }
    heapSort(order, count: x.count) { a, b in
      let (left, right) = (x[Int(a)], x[Int(b)])
      return isLess(left, right) || (!isLess(right, left) && a < b)
    }
    var count = 0
    var leader: Int32 = 0
    for (place, index) in order.enumerated() {
      if place == 0 || isLess(x[Int(leader)], x[Int(index)]) {
        leader = index
        count += 1
      }
      first[Int(index)] = leader
    }
    return count
  }

  /// Gathers the results of `firstOccurrences`; values beyond the size of the output are dropped.
  @export(implementation)
  package static func unique<Scalar, Index: FixedWidthInteger>(
    _ x: UnsafeMutableBufferPointer<Scalar>, first: UnsafeMutableBufferPointer<Int32>,
    into values: UnsafeMutableBufferPointer<Scalar>,
    indices: UnsafeMutableBufferPointer<Index>
  ) {
    var count = 0
    for i in 0..<x.count {
      if Int(first[i]) == i {
        if count < values.count { values[count] = x[i] }
        indices[i] = Index(truncatingIfNeeded: count)
        count += 1
      } else {
        indices[i] = indices[Int(first[i])]
      }
    }
  }
}
