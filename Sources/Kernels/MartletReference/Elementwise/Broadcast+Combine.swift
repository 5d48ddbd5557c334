//===--- Broadcast+Combine.swift - loops over two operands ----------------===//
//
// Contract  The result and the operands have the elements of the traversal.
// Cost      One pass; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase

extension Broadcast {
  /// Stores `combine(a, b)` for each pair of corresponding elements.
  @export(implementation)
  package func combine<A, B, R>(
    _ lhs: UnsafeMutableBufferPointer<A>, _ rhs: UnsafeMutableBufferPointer<B>,
    into output: UnsafeMutableBufferPointer<R>, workers: Workers = .serial,
    _ combine: (A, B) -> R
  ) {
    guard let a = lhs.baseAddress, let b = rhs.baseAddress, let y = output.baseAddress else {
      return
    }
    forEachPiece(workers) { start, offsets, run in
      let a = a + offsets[0]
      let b = b + offsets[1]
      let y = y + start
      switch (steps[0], steps[1]) {
      case (1, 1): for i in 0..<run { y[i] = combine(a[i], b[i]) }
      case (1, _):
        let right = b[0]
        for i in 0..<run { y[i] = combine(a[i], right) }
      case (_, 1):
        let left = a[0]
        for i in 0..<run { y[i] = combine(left, b[i]) }
      default: y.update(repeating: combine(a[0], b[0]), count: run)
      }
    }
  }

  /// The same with one loop for all kinds of runs, for operations whose work on an element is much
  /// more than finding it.
  @export(implementation)
  package func combineEach<A, B, R>(
    _ lhs: UnsafeMutableBufferPointer<A>, _ rhs: UnsafeMutableBufferPointer<B>,
    into output: UnsafeMutableBufferPointer<R>, workers: Workers = .serial,
    _ combine: (A, B) -> R
  ) {
    guard let a = lhs.baseAddress, let b = rhs.baseAddress, let y = output.baseAddress else {
      return
    }
    forEachPiece(workers) { start, offsets, run in
      var (i, j) = (offsets[0], offsets[1])
      for place in start..<start &+ run {
        y[place] = combine(a[i], b[j])
        i &+= steps[0]
        j &+= steps[1]
      }
    }
  }
}
