//===--- ArgMax.swift - index of the largest element ----------------------===//
//
// y[o, i] = the lowest k for which no x[o, j, i] is better than x[o, k, i]
//
// Contract  TFLite ARG_MAX and ARG_MIN. Ties go to the lower index. Every number is better than NaN;
//           if all elements are NaN, the result is 0. `extent` is positive.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  /// - Parameters:
  ///   - extent: the number of elements along the axis.
  ///   - inner: the number of elements between neighbors along the axis.
  ///   - isMaximum: whether to find the largest element instead of the smallest.
  @export(implementation)
  package static func bestIndex<Scalar: Comparable, Index: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, extent: Int, inner: Int, isMaximum: Bool,
    into output: UnsafeMutableBufferPointer<Index>, workers: Workers = .serial
  ) {
    // Fewer comparisons than this are not worth waking another worker.
    workers.split(output.count, grain: (1 << 15) / max(extent, 1)) { part in
      // A comparison written here is inlined into the loop; a closure would be called.
      if isMaximum {
        bestIndex(of: part, input, extent: extent, inner: inner, into: output) { $0 > $1 }
      } else {
        bestIndex(of: part, input, extent: extent, inner: inner, into: output) { $0 < $1 }
      }
    }
  }

  @export(implementation) @inline(__always)
  static func bestIndex<Scalar: Comparable, Index: FixedWidthInteger>(
    of part: Range<Int>, _ input: UnsafeMutableBufferPointer<Scalar>, extent: Int, inner: Int,
    into output: UnsafeMutableBufferPointer<Index>, _ isBetter: (Scalar, Scalar) -> Bool
  ) {
    for o in part {
      let start = o / inner &* extent &* inner &+ o % inner
      // The first number; no NaN after it is better.
      var k = 0
      while k < extent, isUnordered(input[start &+ k &* inner]) { k &+= 1 }
      if k == extent { k = 0 }
      var best = (place: k, element: input[start &+ k &* inner])
      while k &+ 1 < extent {
        k &+= 1
        let element = input[start &+ k &* inner]
        if isBetter(element, best.element) { best = (k, element) }
      }
      output[o] = Index(truncatingIfNeeded: best.place)
    }
  }
}
