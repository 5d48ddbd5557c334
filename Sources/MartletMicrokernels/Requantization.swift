//===--- Requantization.swift - arguments of what makes results of sums ---===//
//
// Sums of products of integers become quantized values, or floats where the input was quantized while
// the graph runs.
//
// Checked   Tests/MartletKernelsTests/RequantizationTests.swift, HybridConvolutionTests.swift
//===----------------------------------------------------------------------===//

/// How scaled sums become quantized values, whatever the channel.
@usableFromInline
package struct OutputQuantization: Sendable {
  @usableFromInline package let zeroPoint, low, high: Int32
  /// Whether a factor shifts left, which is rare.
  @usableFromInline package let shiftsLeft: Bool

  @inlinable @inline(__always)
  package init(zeroPoint: Int32, low: Int32, high: Int32, shiftsLeft: Bool) {
    self.zeroPoint = zeroPoint
    self.low = low
    self.high = high
    self.shiftsLeft = shiftsLeft
  }
}

/// y[i][j] = clamp(zeroPoint + factor[j] * sum[i][j]), to bytes.
@usableFromInline
package struct Int32Requantize {
  @usableFromInline package let sums: Matrix<Int32>
  @usableFromInline package let rows: Int
  /// The columns' biases; behind them, a row of the panel each, left factors, mantissas, right
  /// shifts and their masks.
  @usableFromInline package let panel: UnsafePointer<Int32>
  /// From a field of a column to the next.
  @usableFromInline package let width: Int
  @usableFromInline package let y: MutableMatrix<UInt8>
  /// The columns that are written.
  @usableFromInline package let columns: Int
  @usableFromInline package let output: OutputQuantization

  @inlinable @inline(__always)
  package init(
    sums: Matrix<Int32>, rows: Int, panel: UnsafePointer<Int32>, width: Int,
    y: MutableMatrix<UInt8>, columns: Int, output: OutputQuantization
  ) {
    self.sums = sums
    self.rows = rows
    self.panel = panel
    self.width = width
    self.y = y
    self.columns = columns
    self.output = output
  }
}

/// What makes floats of the sums of a column: filled up to whole vectors.
@usableFromInline
package struct ColumnScales {
  /// What a zero point of one takes off each sum.
  @usableFromInline package let zeroSums: UnsafePointer<Int32>
  @usableFromInline package let factors, biases: UnsafePointer<Float>

  @inlinable @inline(__always)
  package init(
    zeroSums: UnsafePointer<Int32>, factors: UnsafePointer<Float>, biases: UnsafePointer<Float>
  ) {
    self.zeroSums = zeroSums
    self.factors = factors
    self.biases = biases
  }
}

/// The scale and the zero point of the input of each row.
@usableFromInline
package struct RowScales {
  @usableFromInline package let scales: UnsafePointer<Float>
  @usableFromInline package let zeroPoints: UnsafePointer<Int32>
  /// From a row's to the next row's: 0 where all have the same.
  @usableFromInline package let stride: Int

  @inlinable @inline(__always)
  package init(scales: UnsafePointer<Float>, zeroPoints: UnsafePointer<Int32>, stride: Int) {
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.stride = stride
  }
}

/// y[i][j] = clamp(factor[j] * scale[i] * (sum[i][j] - zeroPoint[i] * zeroSum[j]) + bias[j]).
@usableFromInline
package struct Int32Dequantize {
  /// Rows of whole vectors.
  @usableFromInline package let sums: Matrix<Int32>
  @usableFromInline package let rows: Int
  @usableFromInline package let columnScales: ColumnScales
  @usableFromInline package let rowScales: RowScales
  /// Whether the sum is multiplied by the factor and then by the scale, or by their product.
  @usableFromInline package let multipliesFactorFirst: Bool
  @usableFromInline package let y: MutableMatrix<Float>
  /// The columns that are written.
  @usableFromInline package let columns: Int
  /// What a fused activation leaves.
  @usableFromInline package let range: ClosedRange<Float>

  @inlinable @inline(__always)
  package init(
    sums: Matrix<Int32>, rows: Int, columnScales: ColumnScales, rowScales: RowScales,
    multipliesFactorFirst: Bool, y: MutableMatrix<Float>, columns: Int, range: ClosedRange<Float>
  ) {
    self.sums = sums
    self.rows = rows
    self.columnScales = columnScales
    self.rowScales = rowScales
    self.multipliesFactorFirst = multipliesFactorFirst
    self.y = y
    self.columns = columns
    self.range = range
  }
}

/// y[i][j] = clamp(factor[j] * scale * y[i][j] + bias[j]), in place, rows one after the other.
@usableFromInline
package struct Float32ScaleColumns {
  @usableFromInline package let y: UnsafeMutablePointer<Float>
  @usableFromInline package let rows, columns: Int
  @usableFromInline package let factors, biases: UnsafePointer<Float>
  @usableFromInline package let scale: Float
  /// What a fused activation leaves.
  @usableFromInline package let range: ClosedRange<Float>

  @inlinable @inline(__always)
  package init(
    y: UnsafeMutablePointer<Float>, rows: Int, columns: Int, factors: UnsafePointer<Float>,
    biases: UnsafePointer<Float>, scale: Float, range: ClosedRange<Float>
  ) {
    self.y = y
    self.rows = rows
    self.columns = columns
    self.factors = factors
    self.biases = biases
    self.scale = scale
    self.range = range
  }
}
