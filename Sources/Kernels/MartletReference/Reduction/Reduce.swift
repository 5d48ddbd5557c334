//===--- Reduce.swift - SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD... -------===//
//
// y[kept axes] = the elements along the other axes, combined.
//
// Contract  `walk` iterates over the input, with the output (reduced axes of extent 1) as its only
//           operand. The output starts as `initial`, also the result if no elements are reduced.
// Order     Each output combines its elements in the input's order.
// Cost      One pass over the input.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  @export(implementation) @inline(__always)
  package static func reduce<Scalar, Result>(
    _ x: UnsafeMutableBufferPointer<Scalar>, _ walk: Broadcast, from initial: Result,
    into y: UnsafeMutableBufferPointer<Result>, _ combine: (Result, Scalar) -> Result
  ) {
    y.update(repeating: initial)
    guard let x = x.baseAddress, let y = y.baseAddress else { return }
    walk.forEachRun { start, offsets in
      let run = x + start
      let target = y + offsets[0]
      if walk.steps[0] == 0 {
        var result = target[0]
        for i in 0..<walk.run { result = combine(result, run[i]) }
        target[0] = result
      } else {
        for i in 0..<walk.run { target[i] = combine(target[i], run[i]) }
      }
    }
  }

  /// The largest numbers; NaN if all elements are NaN, and -infinity if no elements are reduced.
  package static func maximum(
    _ x: UnsafeMutableBufferPointer<Float>, _ walk: Broadcast,
    into y: UnsafeMutableBufferPointer<Float>
  ) {
    reduce(x, walk, from: x.isEmpty ? -.infinity : .nan, into: y) {
      $1 > $0 || isUnordered($0) ? $1 : $0
    }
  }

  /// The smallest numbers; NaN if all elements are NaN, and infinity if no elements are reduced.
  package static func minimum(
    _ x: UnsafeMutableBufferPointer<Float>, _ walk: Broadcast,
    into y: UnsafeMutableBufferPointer<Float>
  ) {
    reduce(x, walk, from: x.isEmpty ? .infinity : .nan, into: y) {
      $1 < $0 || isUnordered($0) ? $1 : $0
    }
  }
}
