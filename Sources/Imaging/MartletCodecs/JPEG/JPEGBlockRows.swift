//===--- JPEGBlockRows.swift - forward cosine transform -------------------===//
//
// The flow graph of Loeffler, Ligtenberg and Moschytz (ICASSP 1989) in fixed point with 13 fraction
// bits: columns first, with 2 fraction bits kept between the passes. A vector holds a row, so that eight
// columns are transformed at once; between the passes the block is transposed.
//
// Contract  Differs by at most one from the exact transform (T.81, A.3.3), for samples from -128 to 127.
// Cost      Two passes of twelve vector multiplications.
// Checked   Tests/MartletCodecsTests/JPEGEncoderTests.swift
//===----------------------------------------------------------------------===//

/// The rows of a block of 8 x 8.
struct JPEGBlockRows {
  var rows = InlineArray<8, SIMD8<Int32>>(repeating: SIMD8())

  /// Transforms samples to coefficients. These are transposed: row u has the horizontal frequency u.
  mutating func transform() {
    // Coefficients are 8 times those of T.81 after both passes.
    transformColumns(keeping: 2)
    transpose()
    transformColumns(keeping: -5)
  }

  /// Transforms each column; the results get `bits` fraction bits more, or lose some.
  @inline(__always)
  private mutating func transformColumns(keeping bits: Int32) {
    let sums = (rows[0] &+ rows[7], rows[1] &+ rows[6], rows[2] &+ rows[5], rows[3] &+ rows[4])
    let differences = (
      rows[0] &- rows[7], rows[1] &- rows[6], rows[2] &- rows[5], rows[3] &- rows[4]
    )
    let shift = 13 - bits

    // Even rows: a transform of the four sums.
    let (outer, inner) = (sums.0 &+ sums.3, sums.1 &+ sums.2)
    let (a, b) = (sums.0 &- sums.3, sums.1 &- sums.2)
    rows[0] = rounded((outer &+ inner) &<< 13, shift)
    rows[4] = rounded((outer &- inner) &<< 13, shift)
    let turned = (a &+ b) &* 4433
    rows[2] = rounded(turned &+ a &* 6270, shift)
    rows[6] = rounded(turned &- b &* 15137, shift)

    // Odd rows: three rotations of the four differences.
    let (d0, d1, d2, d3) = differences
    let common = (d0 &+ d1 &+ d2 &+ d3) &* 9633
    let first = (d3 &+ d0) &* -7373
    let second = (d2 &+ d1) &* -20995
    let third = common &- (d3 &+ d1) &* 16069
    let fourth = common &- (d2 &+ d0) &* 3196
    rows[7] = rounded(d3 &* 2446 &+ first &+ third, shift)
    rows[5] = rounded(d2 &* 16819 &+ second &+ fourth, shift)
    rows[3] = rounded(d1 &* 25172 &+ second &+ third, shift)
    rows[1] = rounded(d0 &* 12299 &+ first &+ fourth, shift)
  }

  @inline(__always)
  private func rounded(_ values: SIMD8<Int32>, _ shift: Int32) -> SIMD8<Int32> {
    (values &+ (1 << (shift - 1))) &>> shift
  }

  /// Exchanges rows and columns: the bits of an element's index, row and column, are rotated by three.
  @inline(__always)
  private mutating func transpose() {
    for _ in 0..<3 {
      let old = rows
      for i in 0..<4 {
        rows[i] = SIMD8(lowHalf: old[2 &* i].evenHalf, highHalf: old[2 &* i &+ 1].evenHalf)
        rows[4 &+ i] = SIMD8(lowHalf: old[2 &* i].oddHalf, highHalf: old[2 &* i &+ 1].oddHalf)
      }
    }
  }
}
