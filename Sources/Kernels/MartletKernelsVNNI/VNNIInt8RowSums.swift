//===--- VNNIInt8RowSums.swift - correction terms of rows -----------------===//
//
// term[i] = factor · Σ over k of x[i][k]
//
// If weights do not fit into signed bytes, a constant is subtracted from all of them when they are
// packed. Each row's sum times that constant compensates for it.
//
// Contract  Exact; sums wrap. Reads nothing after the last element of a row.
// Cost      One pass over the rows.
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import _Builtin_intrinsics.intel

extension Level {
  package static func int8RowSums(_ arguments: Int8RowSums) {
    let (x, depth) = (arguments.x, arguments.depth)
    let flips = sums(repeated(arguments.flip))
    let ones = sums(repeated(1))
    let width = 4 &* Sums.scalarCount
    let left = depth % width
    // The zeros after the last element are flipped too.
    let excess = left > 0 ? (width &- left) &* Int(arguments.flip) : 0
    for row in 0..<arguments.rows {
      var place = UnsafeRawPointer(x.start) + row &* x.rowStride
      var total = Sums.zero
      for _ in 0..<depth / width {
        total = addQuads(total, place.loadUnaligned(as: Sums.self) ^ flips, ones)
        place += width
      }
      if left > 0 { total = addQuads(total, sums(load(place, left)) ^ flips, ones) }
      let sum = total.wrappedSum() &- Int32(truncatingIfNeeded: excess)
      arguments.terms[row] = sum &* arguments.factor
    }
  }
}
