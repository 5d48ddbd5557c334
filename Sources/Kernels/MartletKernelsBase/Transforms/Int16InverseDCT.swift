//===--- Int16InverseDCT.swift - inverse cosine transform -----------------===//
//
// The accurate integer transform of most decoders: the flow graph with eleven multiplications of
// Loeffler, Ligtenberg and Moschytz (ICASSP 1989). It uses fixed point with 13 fraction bits,
// columns first, and keeps 2 fraction bits between the passes. Sums of two products are expanded to
// pairs of constants, so that every factor fits in 16 bits; the results are unchanged.
//
// A vector holds a row of one block per 128-bit part. Int16InverseDCT+Reduced.swift has the
// transforms to fewer samples.
//
// Contract  Coefficients of an intact image always fit in 16 bits. Those of a damaged one wrap or
//           are clamped at the same places as in libjpeg-turbo's vector code (jidctint-avx2.asm),
//           so that the samples are equal. 128 is added to each sample.
// Order     Integers: any order gives the same samples.
// Cost      Two passes per vector of blocks, one if only first rows are nonzero; a flat block takes
//           one store per row.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func int16InverseDCT(_ line: Int16InverseDCT) {
    switch line.side {
    case 4: transformToFour(line)
    case 2: transformToTwo(line)
    case 1: transformToOne(line)
    default: transformToEight(line)
    }
  }

  private static func transformToEight(_ line: Int16InverseDCT) {
    let steps = BlockRows(repeating: line.quantization)
    var whole = BlockGroup()
    var flat = BlockGroup()
    var (wholeSize, flatSize) = (0, 0)
    for block in 0..<line.count {
      let occupied = line.occupied[block]
      if occupied == 0 {
        fill(line, block)
      } else if occupied & ~Int16InverseDCT.firstRow == 0 {
        flat[flatSize] = block
        flatSize &+= 1
        guard flatSize == BlockGroup.count else { continue }
        transformFirstRow(line, flat, steps)
        flatSize = 0
      } else {
        whole[wholeSize] = block
        wholeSize &+= 1
        guard wholeSize == BlockGroup.count else { continue }
        transform(line, whole, steps)
        wholeSize = 0
      }
    }
    // The first block fills unused places of the last group.
    if wholeSize > 0 {
      for place in wholeSize..<BlockGroup.count { whole[place] = whole[0] }
      transform(line, whole, steps)
    }
    if flatSize > 0 {
      for place in flatSize..<BlockGroup.count { flat[place] = flat[0] }
      transformFirstRow(line, flat, steps)
    }
  }

  /// Writes the samples of a block in which only the first coefficient may be nonzero.
  @inline(__always)
  private static func fill(_ line: Int16InverseDCT, _ block: Int) {
    let mean = Int((line.coefficients[64 &* block] &* line.quantization[0]) &<< 2)
    let sample = UInt8(truncatingIfNeeded: min(max((mean &+ 16) &>> 5 &+ 128, 0), 255))
    let samples = line.samples + 8 &* block
    for row in 0..<8 { store(SIMD8(repeating: sample), to: samples + row &* line.stride) }
  }

  @inline(__always)
  private static func transform(_ line: Int16InverseDCT, _ group: BlockGroup, _ steps: BlockRows) {
    var rows = BlockRows(line.coefficients, group)
    rows.multiply(by: steps)
    rows.transform(shift: 11)
    rows.transpose()
    rows.transform(shift: 18)
    rows.storeTransposed(to: line, group)
  }

  /// Transforms blocks with coefficients in their first rows only, so all columns are flat.
  @inline(__always)
  private static func transformFirstRow(
    _ line: Int16InverseDCT, _ group: BlockGroup, _ steps: BlockRows
  ) {
    var rows = BlockRows(firstRows: line.coefficients, group, steps)
    rows.transpose()
    rows.transform(shift: 18)
    rows.storeTransposed(to: line, group)
  }
}

/// The indices of blocks that are transformed together, one for each 128-bit part of a vector.
struct BlockGroup {
  @inline(__always)
  static var count: Int { Sums.scalarCount / 4 }

  private var blocks = SIMD4<Int>(repeating: 0)

  @inline(__always)
  subscript(part: Int) -> Int {
    get { blocks[part] }
    set { blocks[part] = newValue }
  }
}

/// The eight rows of a group of blocks.
struct BlockRows {
  private(set) var r0, r1, r2, r3, r4, r5, r6, r7: ShortLanes

  @inline(__always)
  init(_ row: (Int) -> ShortLanes) {
    (r0, r1, r2, r3) = (row(0), row(1), row(2), row(3))
    (r4, r5, r6, r7) = (row(4), row(5), row(6), row(7))
  }

  /// Loads blocks from a line of blocks.
  @inline(__always)
  init(_ line: UnsafePointer<Int16>, _ group: BlockGroup) {
    self.init { row in
      joined { part in load(line + (64 &* group[part] &+ 8 &* row)) }
    }
  }

  /// Creates the flat columns of blocks that have coefficients only in their first rows.
  @inline(__always)
  init(firstRows line: UnsafePointer<Int16>, _ group: BlockGroup, _ steps: Self) {
    let first: ShortLanes = joined { part in load(line + 64 &* group[part]) }
    let row = (first &* steps.r0) &<< 2
    self.init { _ in row }
  }

  /// Loads the same block into all parts.
  @inline(__always)
  init(repeating block: UnsafePointer<Int16>) {
    self.init { row in
      joined { _ in load(block + 8 &* row) }
    }
  }

  /// Multiplies quantized coefficients by their quantization steps.
  @inline(__always)
  mutating func multiply(by steps: Self) {
    (r0, r1, r2, r3) = (r0 &* steps.r0, r1 &* steps.r1, r2 &* steps.r2, r3 &* steps.r3)
    (r4, r5, r6, r7) = (r4 &* steps.r4, r5 &* steps.r5, r6 &* steps.r6, r7 &* steps.r7)
  }

  /// One pass down the columns. The constants are the cosines of the flow graph times 2^13. `shift`
  /// is the number of fraction bits to drop, rounding half up.
  @inline(__always)
  mutating func transform(shift: Int32) {
    // The even part.
    let half = WideRow(repeating: 1 &<< (shift &- 1))
    let (r04, r26) = (RowPair(r0 &+ r4, r0 &- r4), RowPair(r2, r6))
    let sum = r04.sums(8192, 0) + half
    let difference = r04.sums(0, 8192) + half
    let even2 = r26.sums(4433, -10704)
    let even3 = r26.sums(10703, 4433)
    let (e0, e3) = (sum + even3, sum - even3)
    let (e1, e2) = (difference + even2, difference - even2)
    // The odd part.
    let (r17, r53) = (RowPair(r1, r7), RowPair(r5, r3))
    let s = RowPair(r7 &+ r3, r5 &+ r1)
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

  /// Transposes rows and columns: interleaves 16-bit, then 32-bit, then 64-bit numbers.
  @inline(__always)
  mutating func transpose() {
    let (a, b) = (interleaveShorts(r0, r1), interleaveShorts(r2, r3))
    let (c, d) = (interleaveShorts(r4, r5), interleaveShorts(r6, r7))
    let (e, f) = (interleavePairs(a.low, b.low), interleavePairs(a.high, b.high))
    let (g, h) = (interleavePairs(c.low, d.low), interleavePairs(c.high, d.high))
    (r0, r1) = interleaveFours(e.low, g.low)
    (r2, r3) = interleaveFours(e.high, g.high)
    (r4, r5) = interleaveFours(f.low, h.low)
    (r6, r7) = interleaveFours(f.high, h.high)
  }

  /// Stores the samples: the columns in the rows of this value, plus 128.
  @inline(__always)
  func storeTransposed(to line: Int16InverseDCT, _ group: BlockGroup) {
    // Columns 0 and 2, 4 and 6, 1 and 3, 5 and 7; then four columns of four rows.
    let middle = ShortLanes(repeating: 128)
    let (c02, c46) = interleaveBytes(
      saturatedBytes(r0 &+ middle, r4 &+ middle), saturatedBytes(r2 &+ middle, r6 &+ middle))
    let (c13, c57) = interleaveBytes(
      saturatedBytes(r1 &+ middle, r5 &+ middle), saturatedBytes(r3 &+ middle, r7 &+ middle))
    let (left, right) = (interleaveBytes(c02, c13), interleaveBytes(c46, c57))
    let (upper, lower) = (
      interleavePairs(left.low, right.low), interleavePairs(left.high, right.high)
    )
    for part in 0..<BlockGroup.count {
      let samples = line.samples + 8 &* group[part]
      storeRows(0, upper.low, part, samples, line.stride)
      storeRows(2, upper.high, part, samples, line.stride)
      storeRows(4, lower.low, part, samples, line.stride)
      storeRows(6, lower.high, part, samples, line.stride)
    }
  }

  /// Stores two rows of a block, which share one part of a vector.
  @inline(__always)
  private func storeRows(
    _ row: Int, _ rows: ShortLanes, _ part: Int, _ samples: UnsafeMutablePointer<UInt8>,
    _ stride: Int
  ) {
    let words = unsafeBitCast(rows, to: WideSums.self)
    let first = UnsafeMutableRawPointer(samples + row &* stride)
    first.storeBytes(of: words[2 &* part], as: UInt64.self)
    first.storeBytes(of: words[2 &* part &+ 1], toByteOffset: stride, as: UInt64.self)
  }
}

/// Two interleaved rows.
struct RowPair {
  private let low, high: ShortLanes

  @inline(__always)
  init(_ x: ShortLanes, _ y: ShortLanes) {
    (low, high) = interleaveShorts(x, y)
  }

  /// a x + b y.
  @inline(__always)
  func sums(_ a: Int32, _ b: Int32) -> WideRow {
    let factors = Sums(repeating: b &<< 16 | a & 0xFFFF)
    return WideRow(
      low: addPairs(.zero, unsafeBitCast(low, to: Sums.self), factors),
      high: addPairs(.zero, unsafeBitCast(high, to: Sums.self), factors))
  }
}

/// A row of 32-bit sums.
struct WideRow {
  let low, high: Sums

  @inline(__always)
  init(low: Sums, high: Sums) {
    self.low = low
    self.high = high
  }

  @inline(__always)
  init(repeating value: Int32) {
    self.init(low: Sums(repeating: value), high: Sums(repeating: value))
  }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self {
    Self(low: a.low &+ b.low, high: a.high &+ b.high)
  }

  @inline(__always)
  static func - (a: Self, b: Self) -> Self {
    Self(low: a.low &- b.low, high: a.high &- b.high)
  }

  /// The sums without their lowest `shift` bits.
  @inline(__always)
  func narrowed(_ shift: Int32) -> ShortLanes {
    let shift = Sums(repeating: shift)
    return saturatedShorts(low &>> shift, high &>> shift)
  }
}
