//===--- Int8GEMM.swift - products of bytes -------------------------------===//
//
// Arguments for processors with an instruction that multiplies four bytes by four others and adds
// all products to a 32-bit sum. Images are read unchanged. The contribution of a zero point is
// constant for a column and part of its bias, or constant for a row and its term. In this file x is
// an unsigned byte minus the instruction set's `byteOffset`.
//
// Contract  Weights are signed bytes. Each row is read in whole groups of four bytes, or of 4 ·
//           `int8GroupQuads`. The header of a vector of 16 columns has biases and mantissas, as
//           32-bit integers; the offsets of even and of odd columns, as 64-bit integers; then the
//           right shifts of the upper halves of products, and the left shifts of sums.
//===----------------------------------------------------------------------===//

/// The number of 32-bit integers in the header of a vector of 16 columns.
@inlinable package var byteHeaderCount: Int { 96 }

/// The conversion of scaled sums to bytes.
@usableFromInline
package struct ByteOutput: Sendable {
  @usableFromInline package let zeroPoint: Int16
  @usableFromInline package let low, high: UInt8
  /// 0x80 if bytes are signed.
  @usableFromInline package let flip: UInt8
  /// Whether values below the zero point are clamped to it.
  @usableFromInline package let isRectified: Bool
  /// The largest exponent of a factor, which is less than two to the power of it.
  @usableFromInline package let largestExponent: Int32

  @inlinable @inline(__always)
  package init(
    zeroPoint: Int16, low: UInt8, high: UInt8, flip: UInt8, isRectified: Bool,
    largestExponent: Int32
  ) {
    self.zeroPoint = zeroPoint
    self.low = low
    self.high = high
    self.flip = flip
    self.isRectified = isRectified
    self.largestExponent = largestExponent
  }
}

/// The terms that are added to all sums of a row.
@usableFromInline
package struct RowTerms {
  @usableFromInline package let start: UnsafePointer<Int32>
  /// The distance between the terms of consecutive rows: 0 if all rows share one.
  @usableFromInline package let stride: Int

  @inlinable @inline(__always)
  package init(start: UnsafePointer<Int32>, stride: Int) {
    self.start = start
    self.stride = stride
  }
}

/// y[i][j] = clamp(zeroPoint + factor[j] * (bias[j] + term[i] + Σ over k of x[i][k] * w[k][j])).
@usableFromInline
package struct Int8GEMM {
  @usableFromInline package let x: Matrix<UInt8>
  @usableFromInline package let rows: Int
  /// The number of groups of four bytes of a row, a multiple of `int8GroupQuads`.
  @usableFromInline package let quads: Int
  @usableFromInline package let terms: RowTerms
  /// One header per vector of columns, then the weights as [quads / g][width][4 · g], where g is
  /// `int8GroupQuads`.
  @usableFromInline package let panel: UnsafePointer<Int32>
  /// The width of the panel in vectors: 1, 2 or 4.
  @usableFromInline package let vectors: Int
  @usableFromInline package let y: MutableMatrix<UInt8>
  /// The number of columns that are written.
  @usableFromInline package let columns: Int
  @usableFromInline package let output: ByteOutput

  @inlinable @inline(__always)
  package init(
    x: Matrix<UInt8>, rows: Int, quads: Int, terms: RowTerms, panel: UnsafePointer<Int32>,
    vectors: Int, y: MutableMatrix<UInt8>, columns: Int, output: ByteOutput
  ) {
    self.x = x
    self.rows = rows
    self.quads = quads
    self.terms = terms
    self.panel = panel
    self.vectors = vectors
    self.y = y
    self.columns = columns
    self.output = output
  }
}

/// sum[i][j] = bias[j] + Σ over k of x[i][k] * w[k][j], for unsigned bytes. Rows of sums are as
/// long as the panel is wide.
@usableFromInline
package struct Int8GEMMSums {
  @usableFromInline package let x: Matrix<UInt8>
  @usableFromInline package let rows: Int
  /// The number of groups of four bytes of a row, a multiple of `int8GroupQuads`.
  @usableFromInline package let quads: Int
  /// As for `Int8GEMM`, with columns in order.
  @usableFromInline package let panel: UnsafePointer<Int32>
  /// The width of the panel in vectors: 1, 2 or 4.
  @usableFromInline package let vectors: Int
  @usableFromInline package let sums: UnsafeMutablePointer<Int32>

  @inlinable @inline(__always)
  package init(
    x: Matrix<UInt8>, rows: Int, quads: Int, panel: UnsafePointer<Int32>, vectors: Int,
    sums: UnsafeMutablePointer<Int32>
  ) {
    self.x = x
    self.rows = rows
    self.quads = quads
    self.panel = panel
    self.vectors = vectors
    self.sums = sums
  }
}

/// One row times a panel of four vectors, scaled in double precision as for fully connected layers.
@usableFromInline
package struct Int8GEMV {
  @usableFromInline package let x: UnsafePointer<UInt8>
  /// The number of groups of four bytes of the row, a multiple of `int8GroupQuads`.
  @usableFromInline package let quads: Int
  /// The term that is added to all sums.
  @usableFromInline package let term: Int32
  /// As for `Int8GEMM`, with columns in order and one factor per column.
  @usableFromInline package let panel: UnsafePointer<Int32>
  @usableFromInline package let y: UnsafeMutablePointer<UInt8>
  /// The number of columns that are written.
  @usableFromInline package let columns: Int
  @usableFromInline package let zeroPoint, low, high: Int32
  /// 0x80 if bytes are signed.
  @usableFromInline package let flip: UInt8

  @inlinable @inline(__always)
  package init(
    x: UnsafePointer<UInt8>, quads: Int, term: Int32, panel: UnsafePointer<Int32>,
    y: UnsafeMutablePointer<UInt8>, columns: Int, zeroPoint: Int32, low: Int32, high: Int32,
    flip: UInt8
  ) {
    self.x = x
    self.quads = quads
    self.term = term
    self.panel = panel
    self.y = y
    self.columns = columns
    self.zeroPoint = zeroPoint
    self.low = low
    self.high = high
    self.flip = flip
  }
}

/// term[i] = factor * Σ over k of x[i][k].
@usableFromInline
package struct Int8RowSums {
  @usableFromInline package let x: Matrix<UInt8>
  @usableFromInline package let rows, depth: Int
  /// 0x80 if bytes are signed.
  @usableFromInline package let flip: UInt8
  @usableFromInline package let factor: Int32
  @usableFromInline package let terms: UnsafeMutablePointer<Int32>

  @inlinable @inline(__always)
  package init(
    x: Matrix<UInt8>, rows: Int, depth: Int, flip: UInt8, factor: Int32,
    terms: UnsafeMutablePointer<Int32>
  ) {
    self.x = x
    self.rows = rows
    self.depth = depth
    self.flip = flip
    self.factor = factor
    self.terms = terms
  }
}

/// Depthwise convolution of bytes, 64 adjacent outputs at a time.
@usableFromInline
package struct Int8Depthwise {
  /// The addresses of the taps of the first output, a multiple of four; of all outputs if runs
  /// share taps.
  @usableFromInline package let taps: UnsafePointer<UnsafePointer<UInt8>>
  /// The number of groups of four taps.
  @usableFromInline package let quads: Int
  /// The groups of taps from one run to the next, 1 or 2, if runs share taps. Each group is a
  /// column of a window of three by three. 0 if the taps of runs are `runs.stride` apart.
  @usableFromInline package let sharedQuads: Int
  /// One block per 64 adjacent outputs.
  @usableFromInline package let weights: UnsafePointer<Int32>
  /// The number of bytes whose sum is a weight: 1, or 2 if bytes are unsigned.
  @usableFromInline package let parts: Int
  /// Runs of adjacent outputs; `stride` is the distance in bytes between the taps of consecutive
  /// runs.
  @usableFromInline package let runs: Runs
  /// The outputs of the runs, contiguous.
  @usableFromInline package let y: UnsafeMutablePointer<UInt8>
  @usableFromInline package let output: ByteOutput

  @inlinable @inline(__always)
  package init(
    taps: UnsafePointer<UnsafePointer<UInt8>>, quads: Int, sharedQuads: Int,
    weights: UnsafePointer<Int32>, parts: Int, runs: Runs, y: UnsafeMutablePointer<UInt8>,
    output: ByteOutput
  ) {
    self.taps = taps
    self.quads = quads
    self.sharedQuads = sharedQuads
    self.weights = weights
    self.parts = parts
    self.runs = runs
    self.y = y
    self.output = output
  }
}
