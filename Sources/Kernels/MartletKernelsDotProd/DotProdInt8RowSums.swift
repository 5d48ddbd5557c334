//===--- DotProdInt8RowSums.swift - correction terms of rows --------------===//
//
// term[i] = factor · Σ over k of (x[i][k] - 128)
//
// If weights do not fit into signed bytes, a constant is subtracted from all of them when they are
// packed. Each row's sum times that constant compensates for it.
//
// Contract  Exact; sums wrap.
// Cost      One pass over the rows.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  extension Level {
    @export(interface) package static func int8RowSums(_ arguments: Int8RowSums) {
      let depth = arguments.depth
      let flips = Bytes(repeating: arguments.flip ^ 0x80)
      let ones = Bytes(repeating: 1)
      let rest = depth % 16
      let lanes = Bytes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
      let restOnes = ones & vcltq_u8(lanes, Bytes(repeating: UInt8(truncatingIfNeeded: rest)))
      for row in 0..<arguments.rows {
        let start = UnsafeRawPointer(arguments.x.start + row &* arguments.x.rowStride)
        var sums = Sums.zero
        var k = 0
        while k &+ 16 <= depth {
          sums = addBytes(sums, load(start + k, 16) ^ flips, ones)
          k &+= 16
        }
        if rest > 0 { sums = addBytes(sums, load(start + k, rest) ^ flips, restOnes) }
        arguments.terms[row] = sums.wrappedSum() &* arguments.factor
      }
    }

    @inline(__always)
    private static func addBytes(_ sums: Sums, _ bytes: Bytes, _ factors: Bytes) -> Sums {
      addQuads(
        sums, unsafeBitCast(bytes, to: Sums.self), unsafeBitCast(factors, to: Sums.self))
    }
  }
#endif
