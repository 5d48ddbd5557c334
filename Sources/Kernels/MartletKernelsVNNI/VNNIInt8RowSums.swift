//===--- VNNIInt8RowSums.swift - correction terms of rows -----------------===//
//
// term[i] = factor · Σ over k of x[i][k]
//
// If weights do not fit into signed bytes, a constant is subtracted from all of them when they are
// packed. Each row's sum times that constant compensates for it.
//
// Contract  Exact; sums wrap. Reads whole groups of four bytes of each row.
// Cost      One pass over the rows.
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import _Builtin_intrinsics.intel

extension Level {
  package static func int8RowSums(_ arguments: Int8RowSums) {
    let (x, depth) = (arguments.x, arguments.depth)
    let flips = repeated(arguments.flip)
    let ones = repeated(1)
    let left = depth & 63
    let mask = left > 0 ? byteMask(left) : 0
    for row in 0..<arguments.rows {
      var place = UnsafeRawPointer(x.start) + row &* x.rowStride
      var sums = __m512i.zero
      for _ in 0..<depth &>> 6 {
        let bytes = _mm512_xor_si512(place.loadUnaligned(as: __m512i.self), flips)
        sums = _mm512_dpbusd_epi32(sums, bytes, ones)
        place += 64
      }
      if left > 0 {
        let bytes = _mm512_maskz_loadu_epi8(mask, place)
        sums = _mm512_dpbusd_epi32(
          sums, _mm512_maskz_mov_epi8(mask, _mm512_xor_si512(bytes, flips)), ones)
      }
      arguments.terms[row] = unsafeBitCast(sums, to: Sums.self).wrappedSum() &* arguments.factor
    }
  }
}
