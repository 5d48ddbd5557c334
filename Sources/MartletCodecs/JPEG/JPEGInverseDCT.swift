//===--- JPEGInverseDCT.swift - from coefficients to samples --------------===//
//
// The accurate integer transform that most decoders share: the eleven-multiply
// flow graph of Loeffler, Ligtenberg and Moschytz (ICASSP 1989) in fixed point
// with 13 fraction bits, columns first, 2 fraction bits kept between the passes.
// Sums of two products are written out as pairs of constants, so that every
// factor fits in 16 bits; the results are the same numbers.
//
// Contract  Coefficients of an honest picture never leave 16 bits; others are
//           clamped, here or there.
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

  /// Turns the 64 coefficients of a block, of which `occupied` has a bit for each AC coefficient in
  /// the order of coding that may differ from zero, into 8 rows of 8 samples, `stride` apart.
  ///
  /// Both `block` and `quantization` are in natural order.
  @inline(__always)
  static func transform(
    _ block: UnsafePointer<Int16>, occupied: UInt64, _ quantization: UnsafePointer<Int16>,
    to samples: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    if occupied == 0 {
      fill(block[0], quantization[0], to: samples, stride: stride)
    } else {
      transform(block, quantization, to: samples, stride: stride)
    }
  }

  /// Turns the 64 coefficients of a block into samples.
  static func transform(
    _ block: UnsafePointer<Int16>, _ quantization: UnsafePointer<Int16>,
    to samples: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    var rows = JPEGBlockRows(block)
    rows.multiply(by: JPEGBlockRows(quantization))
    rows.transform(shift: 11)
    rows.transpose()
    rows.transform(shift: 18)
    rows.storeTransposed(to: samples, stride: stride)
  }
}

/// A block as eight vectors.
private struct JPEGBlockRows {
  typealias Row = JPEGLanes

  var r0, r1, r2, r3, r4, r5, r6, r7: Row

  @inline(__always) init(_ block: UnsafePointer<Int16>) {
    @inline(__always) func row(_ index: Int) -> Row {
      UnsafeRawPointer(block + 8 &* index).loadUnaligned(as: Row.self)
    }
    (r0, r1, r2, r3) = (row(0), row(1), row(2), row(3))
    (r4, r5, r6, r7) = (row(4), row(5), row(6), row(7))
  }

  /// Makes coefficients of their quotients.
  @inline(__always) mutating func multiply(by steps: Self) {
    (r0, r1, r2, r3) = (r0 &* steps.r0, r1 &* steps.r1, r2 &* steps.r2, r3 &* steps.r3)
    (r4, r5, r6, r7) = (r4 &* steps.r4, r5 &* steps.r5, r6 &* steps.r6, r7 &* steps.r7)
  }

  /// One pass down the columns. The constants are the cosines of the flow graph times 2^13;
  /// `shift` drops their fraction bits, rounding half up, but for those to be kept.
  @inline(__always) mutating func transform(shift: Int32) {
    // The even part.
    let half = Wide(SIMD4(repeating: 1 << (shift - 1)))
    let (r04, r26) = (Pairs(r0, r4), Pairs(r2, r6))
    let sum = r04.sums(8192, 8192) + half
    let difference = r04.sums(8192, -8192) + half
    let even2 = r26.sums(4433, -10704)
    let even3 = r26.sums(10703, 4433)
    let (e0, e3) = (sum + even3, sum - even3)
    let (e1, e2) = (difference + even2, difference - even2)
    // The odd part.
    let (r17, r53) = (Pairs(r1, r7), Pairs(r5, r3))
    let s = Pairs(r7 &+ r3, r5 &+ r1)
    let z3 = s.sums(-6436, 9633)
    let z4 = s.sums(9633, 6437)
    let o3 = r17.sums(-7373, -4927) + z3
    let o2 = r53.sums(-4176, -20995) + z4
    let o1 = r53.sums(-20995, 4177) + z3
    let o0 = r17.sums(4926, -7373) + z4
    (r0, r7) = ((e0 + o0).narrowed(shift), (e0 - o0).narrowed(shift))
    (r1, r6) = ((e1 + o1).narrowed(shift), (e1 - o1).narrowed(shift))
    (r2, r5) = ((e2 + o2).narrowed(shift), (e2 - o2).narrowed(shift))
    (r3, r4) = ((e3 + o3).narrowed(shift), (e3 - o3).narrowed(shift))
  }

  /// Exchanges rows and columns: interleaves numbers of 16 bits, then of 32, then of 64.
  @inline(__always) mutating func transpose() {
    let (a, b) = (Row.interleave(r0, r1), Row.interleave(r2, r3))
    let (c, d) = (Row.interleave(r4, r5), Row.interleave(r6, r7))
    let (e, f) = (Row.interleavePairs(a.low, b.low), Row.interleavePairs(a.high, b.high))
    let (g, h) = (Row.interleavePairs(c.low, d.low), Row.interleavePairs(c.high, d.high))
    (r0, r1) = Row.interleaveHalves(e.low, g.low)
    (r2, r3) = Row.interleaveHalves(e.high, g.high)
    (r4, r5) = Row.interleaveHalves(f.low, h.low)
    (r6, r7) = Row.interleaveHalves(f.high, h.high)
  }

  /// Puts the samples, 128 more than the columns that the rows hold, where they belong.
  @inline(__always)
  func storeTransposed(to samples: UnsafeMutablePointer<UInt8>, stride: Int) {
    // Columns 0 and 2, 4 and 6, 1 and 3, 5 and 7; then four columns of four rows.
    let (c02, c46) = Bytes.interleave(Self.bytes(r0, r4), Self.bytes(r2, r6))
    let (c13, c57) = Bytes.interleave(Self.bytes(r1, r5), Self.bytes(r3, r7))
    let left = Self.interleaveBytes(c02, c13)
    let right = Self.interleaveBytes(c46, c57)
    let (first, second) = (
      Row.interleavePairs(left.low, right.low), Row.interleavePairs(left.high, right.high)
    )
    @inline(__always) func put(_ pair: Row, _ index: Int) {
      let rows = unsafeBitCast(pair, to: SIMD2<UInt64>.self)
      UnsafeMutableRawPointer(samples + index &* stride).storeBytes(of: rows[0], as: UInt64.self)
      UnsafeMutableRawPointer(samples + (index &+ 1) &* stride)
        .storeBytes(of: rows[1], as: UInt64.self)
    }
    put(first.low, 0)
    put(first.high, 2)
    put(second.low, 4)
    put(second.high, 6)
  }

  private typealias Bytes = SIMD16<UInt8>

  @inline(__always) private static func bytes(_ a: Row, _ b: Row) -> Bytes {
    Bytes(saturating: a &+ 128, b &+ 128)
  }

  @inline(__always)
  private static func interleaveBytes(_ a: Row, _ b: Row) -> (low: Row, high: Row) {
    Bytes.interleave(unsafeBitCast(a, to: Bytes.self), unsafeBitCast(b, to: Bytes.self))
  }
}

/// Two rows, lane by lane side by side.
private struct Pairs {
  private let low, high: JPEGLanes

  @inline(__always) init(_ x: JPEGLanes, _ y: JPEGLanes) {
    (low, high) = JPEGLanes.interleave(x, y)
  }

  /// a x + b y.
  @inline(__always) func sums(_ a: Int16, _ b: Int16) -> Wide {
    Wide(low: low.pairSums(a, b), high: high.pairSums(a, b))
  }
}

/// A row of sums.
private struct Wide {
  private let low, high: SIMD4<Int32>

  @inline(__always) init(low: SIMD4<Int32>, high: SIMD4<Int32>) {
    self.low = low
    self.high = high
  }

  @inline(__always) init(_ half: SIMD4<Int32>) {
    self.init(low: half, high: half)
  }

  @inline(__always) static func + (a: Self, b: Self) -> Self {
    Self(low: a.low &+ b.low, high: a.high &+ b.high)
  }

  @inline(__always) static func - (a: Self, b: Self) -> Self {
    Self(low: a.low &- b.low, high: a.high &- b.high)
  }

  /// The sums without `shift` fraction bits.
  @inline(__always) func narrowed(_ shift: Int32) -> JPEGLanes {
    let shift = SIMD4<Int32>(repeating: shift)
    return JPEGLanes(saturating: low &>> shift, high &>> shift)
  }
}
