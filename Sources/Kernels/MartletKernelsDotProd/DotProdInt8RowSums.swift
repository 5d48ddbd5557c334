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

  extension Level {
    @export(interface) package static func int8RowSums(_ arguments: Int8RowSums) {
      let depth = arguments.depth
      let flips = Bytes(repeating: arguments.flip ^ 0x80)
      let ones = unsafeBitCast(Bytes(repeating: 1), to: Sums.self)
      for row in 0..<arguments.rows {
        let start = arguments.x.start + row &* arguments.x.rowStride
        var sums = Sums.zero
        var k = 0
        while k &+ 16 <= depth {
          let bytes = UnsafeRawPointer(start + k).loadUnaligned(as: Bytes.self) ^ flips
          sums = addQuads(sums, unsafeBitCast(bytes, to: Sums.self), ones)
          k &+= 16
        }
        var sum = sums.wrappedSum()
        while k < depth {
          sum &+= Int32(Int8(bitPattern: start[k] ^ flips[0]))
          k &+= 1
        }
        arguments.terms[row] = sum &* arguments.factor
      }
    }
  }
#endif
