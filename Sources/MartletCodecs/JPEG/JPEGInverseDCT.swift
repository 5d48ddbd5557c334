//===--- JPEGInverseDCT.swift - from coefficients to samples --------------===//
//
// The accurate integer transform that most decoders share: the eleven-multiply
// flow graph of Loeffler, Ligtenberg and Moschytz (ICASSP 1989) in fixed point
// with 13 fraction bits, columns first, 2 fraction bits kept between the passes.
// Sums of two products are written out as pairs of constants, so that every
// factor fits in 16 bits; the results are the same numbers.
//
// Contract  Coefficients of an honest picture never leave 16 bits; others wrap
//           and are clamped in the end.
// Order     Integers: any order gives the same samples.
// Cost      Two passes of eight lanes; a flat block is one store a row.
// Checked   Tests/MartletCodecsTests/JPEGInverseDCTTests.swift
//===----------------------------------------------------------------------===//

/// The inverse discrete cosine transform of 8 by 8 blocks.
enum JPEGInverseDCT {
  /// Turns a block whose first coefficient alone may differ from zero into samples.
  @inline(__always)
  static func fill(
    _ coefficient: Int16, _ step: Int16, to samples: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    let sample = UInt8(clamping: (Int(coefficient &* step) + 4) >> 3 + 128)
    for row in 0..<8 {
      UnsafeMutableRawPointer(samples + row &* stride)
        .storeBytes(of: SIMD8(repeating: sample), as: SIMD8<UInt8>.self)
    }
  }

  /// Turns the 64 coefficients of a block into 8 rows of 8 samples, `stride` apart.
  ///
  /// Both `block` and `quantization` are in natural order.
  static func transform(
    _ block: UnsafePointer<Int16>, _ quantization: UnsafePointer<Int16>,
    to samples: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    var rows = Rows(block)
    rows.multiply(by: Rows(quantization))
    rows.transform(shift: 11)
    rows.transpose()
    rows.transform(shift: 18)
    rows.transpose()
    rows.store(to: samples, stride: stride)
  }
}

/// A block as eight vectors.
private struct Rows {
  typealias Row = SIMD8<Int16>
  typealias Wide = SIMD8<Int32>

  var r0, r1, r2, r3, r4, r5, r6, r7: Row

  @inline(__always) init(_ block: UnsafePointer<Int16>) {
    @inline(__always) func row(_ index: Int) -> Row {
      UnsafeRawPointer(block + 8 &* index).loadUnaligned(as: Row.self)
    }
    (r0, r1, r2, r3) = (row(0), row(1), row(2), row(3))
    (r4, r5, r6, r7) = (row(4), row(5), row(6), row(7))
  }

  /// Makes coefficients of their quotients.
  @inline(__always) mutating func multiply(by steps: Rows) {
    (r0, r1, r2, r3) = (r0 &* steps.r0, r1 &* steps.r1, r2 &* steps.r2, r3 &* steps.r3)
    (r4, r5, r6, r7) = (r4 &* steps.r4, r5 &* steps.r5, r6 &* steps.r6, r7 &* steps.r7)
  }

  /// One pass down the columns. The constants are the cosines of the flow graph times 2^13;
  /// `shift` drops their fraction bits, rounding half up, but for those to be kept.
  @inline(__always) mutating func transform(shift: Int32) {
    let half = Wide(repeating: 1 << (shift - 1))
    // The even part.
    let sum = (Self.wide(r0) &+ Self.wide(r4)) &<< 13 &+ half
    let difference = (Self.wide(r0) &- Self.wide(r4)) &<< 13 &+ half
    let even2 = Self.pair(r2, 4433, r6, -10704)
    let even3 = Self.pair(r2, 10703, r6, 4433)
    let (e0, e3) = (sum &+ even3, sum &- even3)
    let (e1, e2) = (difference &+ even2, difference &- even2)
    // The odd part.
    let (s73, s51) = (r7 &+ r3, r5 &+ r1)
    let z3 = Self.pair(s73, -6436, s51, 9633)
    let z4 = Self.pair(s73, 9633, s51, 6437)
    let o3 = Self.pair(r7, -4927, r1, -7373) &+ z3
    let o2 = Self.pair(r5, -4176, r3, -20995) &+ z4
    let o1 = Self.pair(r3, 4177, r5, -20995) &+ z3
    let o0 = Self.pair(r1, 4926, r7, -7373) &+ z4
    (r0, r7) = Self.butterfly(e0, o0, shift)
    (r1, r6) = Self.butterfly(e1, o1, shift)
    (r2, r5) = Self.butterfly(e2, o2, shift)
    (r3, r4) = Self.butterfly(e3, o3, shift)
  }

  /// The sum and the difference, without their fraction bits.
  @inline(__always)
  private static func butterfly(_ even: Wide, _ odd: Wide, _ shift: Int32) -> (Row, Row) {
    let shift = Wide(repeating: shift)
    return (
      Row(truncatingIfNeeded: (even &+ odd) &>> shift),
      Row(truncatingIfNeeded: (even &- odd) &>> shift)
    )
  }

  @inline(__always) private static func wide(_ row: Row) -> Wide { Wide(truncatingIfNeeded: row) }

  /// x a + y b.
  @inline(__always)
  private static func pair(_ x: Row, _ a: Int32, _ y: Row, _ b: Int32) -> Wide {
    wide(x) &* Wide(repeating: a) &+ wide(y) &* Wide(repeating: b)
  }

  /// Exchanges rows and columns: interleaves numbers of 16 bits, then of 32, then of 64. The
  /// changes of type keep the compiler from melting the steps into slower ones.
  @inline(__always) mutating func transpose() {
    let (a, b) = (Self.interleave(r0, r1), Self.interleave(r2, r3))
    let (c, d) = (Self.interleave(r4, r5), Self.interleave(r6, r7))
    let (e, f) = (Self.interleave(a.low, b.low), Self.interleave(a.high, b.high))
    let (g, h) = (Self.interleave(c.low, d.low), Self.interleave(c.high, d.high))
    (r0, r1) = Self.interleave(e.low, g.low)
    (r2, r3) = Self.interleave(e.high, g.high)
    (r4, r5) = Self.interleave(f.low, h.low)
    (r6, r7) = Self.interleave(f.high, h.high)
  }

  private typealias Quad = SIMD4<UInt32>
  private typealias Pair = SIMD2<UInt64>

  @inline(__always) private static func interleave(_ a: Row, _ b: Row) -> (low: Quad, high: Quad) {
    (
      unsafeBitCast(Row(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]), to: Quad.self),
      unsafeBitCast(Row(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7]), to: Quad.self)
    )
  }

  @inline(__always) private static func interleave(_ a: Quad, _ b: Quad) -> (low: Pair, high: Pair)
  {
    (
      unsafeBitCast(Quad(a[0], b[0], a[1], b[1]), to: Pair.self),
      unsafeBitCast(Quad(a[2], b[2], a[3], b[3]), to: Pair.self)
    )
  }

  @inline(__always) private static func interleave(_ a: Pair, _ b: Pair) -> (Row, Row) {
    (
      unsafeBitCast(Pair(a[0], b[0]), to: Row.self), unsafeBitCast(Pair(a[1], b[1]), to: Row.self)
    )
  }

  /// Puts the samples, 128 more than the rows, where they belong.
  @inline(__always)
  func store(to samples: UnsafeMutablePointer<UInt8>, stride: Int) {
    @inline(__always) func put(_ row: Row, _ index: Int) {
      let level = row.clamped(
        lowerBound: Row(repeating: -128), upperBound: Row(repeating: 127))
      UnsafeMutableRawPointer(samples + index &* stride).storeBytes(
        of: SIMD8<UInt8>(truncatingIfNeeded: level &+ 128), as: SIMD8<UInt8>.self)
    }
    put(r0, 0)
    put(r1, 1)
    put(r2, 2)
    put(r3, 3)
    put(r4, 4)
    put(r5, 5)
    put(r6, 6)
    put(r7, 7)
  }
}
