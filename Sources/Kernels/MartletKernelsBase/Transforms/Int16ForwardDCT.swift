//===--- Int16ForwardDCT.swift - forward cosine transform -----------------===//
//
// The flow graph of Loeffler, Ligtenberg and Moschytz (ICASSP 1989) in fixed point with 13 fraction
// bits: columns first, with 2 fraction bits kept between the passes. Sums of two products are expanded to
// pairs of constants, as in Int16InverseDCT.swift. A vector holds a row of one block per 128-bit part.
//
// Contract  Coefficients differ by at most one from the exact transform (T.81, A.3.3) of samples minus
//           128, before they are divided, rounded to nearest, and limited to a magnitude of 1023.
// Order     Integers: any order gives the same coefficients.
// Cost      Two passes per vector of blocks, and one multiplication per coefficient.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func int16ForwardDCT(_ line: Int16ForwardDCT) {
    let parts = BlockGroup.count
    var first = 0
    while first < line.count {
      // The last block fills unused parts of the last group.
      var group = BlockGroup()
      for part in 0..<parts { group[part] = min(first &+ part, line.count &- 1) }
      var rows = BlockRows(samples: line, group)
      rows.transformForward(shift: 11)
      rows.transpose()
      rows.transformForward(shift: 18)
      rows.storeQuotients(to: line, group)
      first &+= parts
    }
  }
}

extension BlockRows {
  /// Loads samples, minus 128.
  @inline(__always)
  fileprivate init(samples line: Int16ForwardDCT, _ group: BlockGroup) {
    self.init { row in
      let bytes: ShortLanes = joined { part in
        let word = UnsafeRawPointer(line.samples + (row &* line.stride &+ 8 &* group[part]))
          .loadUnaligned(as: UInt64.self)
        return unsafeBitCast(SIMD2(word, 0), to: SIMD8<Int16>.self)
      }
      return interleaveBytes(bytes, .zero).low &- ShortLanes(repeating: 128)
    }
  }

  /// One pass down the columns. `shift` is the number of fraction bits to drop, rounding half up.
  @inline(__always)
  fileprivate mutating func transformForward(shift: Int32) {
    let half = WideRow(repeating: 1 &<< (shift &- 1))
    let (s0, s1, s2, s3) = (r0 &+ r7, r1 &+ r6, r2 &+ r5, r3 &+ r4)
    let (d0, d1, d2, d3) = (r0 &- r7, r1 &- r6, r2 &- r5, r3 &- r4)
    // Even rows: a transform of the four sums.
    let means = RowPair(s0 &+ s3, s1 &+ s2)
    let even = RowPair(s0 &- s3, s1 &- s2)
    // Odd rows: three rotations of the four differences.
    let s = RowPair(d3 &+ d1, d2 &+ d0)
    let z3 = s.sums(-6436, 9633) + half
    let z4 = s.sums(9633, 6437) + half
    let (d30, d21) = (RowPair(d3, d0), RowPair(d2, d1))
    self = BlockRows { row in
      switch row {
      case 0: (means.sums(8192, 8192) + half).narrowed(shift)
      case 1: (d30.sums(-7373, 4926) + z4).narrowed(shift)
      case 2: (even.sums(10703, 4433) + half).narrowed(shift)
      case 3: (d21.sums(-20995, 4177) + z3).narrowed(shift)
      case 4: (means.sums(8192, -8192) + half).narrowed(shift)
      case 5: (d21.sums(-4176, -20995) + z4).narrowed(shift)
      case 6: (even.sums(4433, -10704) + half).narrowed(shift)
      default: (d30.sums(-4927, -7373) + z3).narrowed(shift)
      }
    }
  }

  /// Divides the coefficients and stores them. The products with the reciprocals are exact: a
  /// magnitude has at most eleven bits, a divisor eight.
  @inline(__always)
  fileprivate func storeQuotients(to line: Int16ForwardDCT, _ group: BlockGroup) {
    store(r0, 0, line, group)
    store(r1, 1, line, group)
    store(r2, 2, line, group)
    store(r3, 3, line, group)
    store(r4, 4, line, group)
    store(r5, 5, line, group)
    store(r6, 6, line, group)
    store(r7, 7, line, group)
  }

  /// Divides and stores a column of each block, which is a row of this value.
  @inline(__always)
  private func store(
    _ coefficients: ShortLanes, _ column: Int, _ line: Int16ForwardDCT, _ group: BlockGroup
  ) {
    let halves: ShortLanes = joined { _ in load(line.halves + 8 &* column) }
    let reciprocals = line.reciprocals + 8 &* column
    let (values, added) = (
      interleaveShorts(coefficients, coefficients), interleaveShorts(halves, .zero)
    )
    let quotients = saturatedShorts(
      quotient(values.low, added.low, reciprocals),
      quotient(values.high, added.high, reciprocals + 4))
    let words = unsafeBitCast(quotients, to: WideSums.self)
    for part in 0..<BlockGroup.count {
      let target = UnsafeMutableRawPointer(
        line.coefficients + (64 &* group[part] &+ 8 &* column))
      target.storeBytes(of: words[2 &* part], as: UInt64.self)
      target.storeBytes(of: words[2 &* part &+ 1], toByteOffset: 8, as: UInt64.self)
    }
  }

  /// The quotients of four coefficients of each block, which are in the high halves of lanes.
  @inline(__always)
  private func quotient(
    _ values: ShortLanes, _ halves: ShortLanes, _ reciprocals: UnsafePointer<Int32>
  ) -> Sums {
    let factors: Lanes = joined { _ in
      UnsafeRawPointer(reciprocals).loadUnaligned(as: SIMD4<Float>.self)
    }
    let value = unsafeBitCast(values, to: Sums.self) &>> Sums(repeating: 16)
    let sign = value &>> Sums(repeating: 31)
    let magnitude = (value ^ sign) &- sign &+ unsafeBitCast(halves, to: Sums.self)
    let products = magnitude &* unsafeBitCast(factors, to: Sums.self)
    // Baseline files have ten bits for coefficients.
    let limited = clamp(products &>> Sums(repeating: 20), .zero, Sums(repeating: 1023))
    return (limited ^ sign) &- sign
  }
}
