//===--- Int16InverseDCT+Reduced.swift - transforms to fewer samples ------===//
//
// The transforms of 8x8 coefficients to 4x4, 2x2 or 1x1 samples, for an image of 1/2, 1/4 or 1/8 of
// the size. They are those of libjpeg-turbo (jidctred.c): the flow graph of the full transform, without
// the branches that only the omitted samples depend on. The fixed point is that of Int16InverseDCT.swift.
//
// Contract  Samples equal those of libjpeg-turbo. Coefficients of a damaged image wrap or are clamped
//           as in its vector code (jidctred-sse2.asm).
// Order     Integers: any order gives the same samples.
// Cost      4x4: two passes per vector of blocks; 2x2: one pass per vector, and a few additions per block.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  /// The bits of coefficients in the first and fifth row of a block; 4x4 samples do not depend on the
  /// fifth row.
  private static var firstRows: UInt64 {
    Int16InverseDCT.firstRow
      | 1 << 10 | 1 << 19 | 1 << 23 | 1 << 32 | 1 << 39 | 1 << 45 | 1 << 52 | 1 << 54
  }

  static func transformToFour(_ line: Int16InverseDCT) {
    let steps = BlockRows(repeating: line.quantization)
    var group = BlockGroup()
    var first = 0
    while first < line.count {
      for part in 0..<BlockGroup.count { group[part] = min(first &+ part, line.count &- 1) }
      first &+= BlockGroup.count
      var rows = BlockRows(line.coefficients, group)
      rows.multiply(by: steps)
      // Columns of blocks without coefficients in other rows are not saturated.
      let isFlat = joined { part in
        SIMD8(repeating: line.occupied[group[part]] & ~firstRows == 0 ? -1 : 0)
      }
      let flat = isFlat & (rows.r0 &<< 2)
      let columns = rows.transformedToFour(shift: 12)
      rows = BlockRows { row in
        switch row {
        case 0: columns.0 & ~isFlat | flat
        case 1: columns.1 & ~isFlat | flat
        case 2: columns.2 & ~isFlat | flat
        case 3: columns.3 & ~isFlat | flat
        default: .zero
        }
      }
      rows.transpose()
      storeFour(rows.transformedToFour(shift: 19), to: line, group)
    }
  }

  /// Stores the columns of 4x4 samples, plus 128.
  @inline(__always)
  private static func storeFour(
    _ columns: (ShortLanes, ShortLanes, ShortLanes, ShortLanes), to line: Int16InverseDCT,
    _ group: BlockGroup
  ) {
    let middle = ShortLanes(repeating: 128)
    let (even, odd) = (
      saturatedBytes(columns.0 &+ middle, columns.2 &+ middle),
      saturatedBytes(columns.1 &+ middle, columns.3 &+ middle)
    )
    let pairs = interleaveBytes(even, odd)
    let rows = unsafeBitCast(interleaveShorts(pairs.low, pairs.high).low, to: Sums.self)
    for part in 0..<BlockGroup.count {
      let samples = UnsafeMutableRawPointer(line.samples + 4 &* group[part])
      for row in 0..<4 {
        samples.storeBytes(
          of: rows[4 &* part &+ row], toByteOffset: row &* line.stride, as: Int32.self)
      }
    }
  }

  static func transformToTwo(_ line: Int16InverseDCT) {
    let steps = BlockRows(repeating: line.quantization)
    // The factors of columns 1, 3, 5 and 7.
    var factors = Sums.zero
    for place in 0..<Sums.scalarCount {
      let factor: Int32 =
        switch place & 3 {
        case 0: 29692
        case 1: -10426
        case 2: 6967
        default: -5906
        }
      factors[place] = factor &<< 16
    }
    var group = BlockGroup()
    var first = 0
    while first < line.count {
      for part in 0..<BlockGroup.count { group[part] = min(first &+ part, line.count &- 1) }
      first &+= BlockGroup.count
      // The rows in memory are 0, 1, 3, 5 and 7 of a block.
      func row(_ place: Int) -> ShortLanes {
        joined { part in load(line.coefficients + (40 &* group[part] &+ 8 &* place)) }
      }
      let r0 = row(0) &* steps.r0
      let odd =
        RowPair(row(1) &* steps.r1, row(2) &* steps.r3).sums(29692, -10426)
        + RowPair(row(3) &* steps.r5, row(4) &* steps.r7).sums(6967, -5906)
      let even = RowPair(r0, r0).sums(16384, 16384) + WideRow(repeating: 1 &<< 12)
      storeRowOfTwo(even + odd, factors, to: line, group, row: 0)
      storeRowOfTwo(even - odd, factors, to: line, group, row: 1)
    }
  }

  /// Transforms a row of 13 fraction bits to two samples.
  @inline(__always)
  private static func storeRowOfTwo(
    _ sums: WideRow, _ factors: Sums, to line: Int16InverseDCT, _ group: BlockGroup, row: Int
  ) {
    let products = addPairs(.zero, unsafeBitCast(sums.narrowed(13), to: Sums.self), factors)
    for part in 0..<BlockGroup.count {
      let place = 4 &* part
      let odd =
        products[place] &+ products[place &+ 1] &+ products[place &+ 2] &+ products[place &+ 3]
      let even = (sums.low[place] &>> 13) &<< 15 &+ (1 &<< 19)
      let samples = line.samples + (row &* line.stride &+ 2 &* group[part])
      samples[0] = sample((even &+ odd) &>> 20)
      samples[1] = sample((even &- odd) &>> 20)
    }
  }

  static func transformToOne(_ line: Int16InverseDCT) {
    for block in 0..<line.count {
      let mean = Int32(line.coefficients[2 &* block]) &* Int32(line.quantization[0])
      // The sign is that of bit 9.
      line.samples[block] = sample((((mean &+ 4) &>> 3) &<< 22) &>> 22)
    }
  }

  @inline(__always)
  private static func sample(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(value, -128), 127) &+ 128)
  }
}

extension BlockRows {
  /// One pass down the columns to four rows. `shift` is the number of fraction bits to drop.
  @inline(__always)
  func transformedToFour(
    shift: Int32
  ) -> (ShortLanes, ShortLanes, ShortLanes, ShortLanes) {
    let r26 = RowPair(r2, r6).sums(15137, -6270)
    let mean = RowPair(r0, .zero).sums(16384, 0) + WideRow(repeating: 1 &<< (shift &- 1))
    let (e0, e1) = (mean + r26, mean - r26)
    let (r13, r57) = (RowPair(r1, r3), RowPair(r5, r7))
    let o0 = r13.sums(20995, 7373) + r57.sums(-4926, -4176)
    let o1 = r13.sums(8697, -17799) + r57.sums(11893, -1730)
    return (
      (e0 + o0).narrowed(shift), (e1 + o1).narrowed(shift), (e1 - o1).narrowed(shift),
      (e0 - o0).narrowed(shift)
    )
  }
}
