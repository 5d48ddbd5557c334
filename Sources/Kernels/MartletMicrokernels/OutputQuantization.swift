//===--- OutputQuantization.swift - conversion of sums --------------------===//
//
// Arguments of the conversion of integer sums of products to quantized values, or to floats if the
// input was quantized at run time.
//===----------------------------------------------------------------------===//

/// The parameters of requantization that are the same for all channels.
@usableFromInline
package struct OutputQuantization: Sendable {
  @usableFromInline package let zeroPoint, low, high: Int32
  /// Whether any factor shifts left, which is rare.
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
  /// The columns' biases, followed by their left factors, mantissas, right shifts and masks, each
  /// as a row of the panel.
  @usableFromInline package let panel: UnsafePointer<Int32>
  /// The distance between fields of a column.
  @usableFromInline package let width: Int
  @usableFromInline package let y: MutableMatrix<UInt8>
  /// The number of columns that are written.
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

/// The parameters that convert sums of a column to floats, padded to whole vectors.
@usableFromInline
package struct ColumnScales {
  /// The amount that a zero point of one subtracts from each sum.
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
  /// The distance between values of consecutive rows: 0 if all rows share one.
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
  /// Rows are padded to whole vectors.
  @usableFromInline package let sums: Matrix<Int32>
  @usableFromInline package let rows: Int
  @usableFromInline package let columnScales: ColumnScales
  @usableFromInline package let rowScales: RowScales
  /// Whether the sum is multiplied by the factor and then by the scale, instead of by their
  /// product.
  @usableFromInline package let multipliesFactorFirst: Bool
  @usableFromInline package let y: MutableMatrix<Float>
  /// The number of columns that are written.
  @usableFromInline package let columns: Int
  /// The range of the fused activation.
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

/// y[i][j] = clamp(factor[j] * scale * y[i][j] + bias[j]), in place, rows contiguous.
@usableFromInline
package struct Float32ScaleColumns {
  @usableFromInline package let y: UnsafeMutablePointer<Float>
  @usableFromInline package let rows, columns: Int
  @usableFromInline package let factors, biases: UnsafePointer<Float>
  @usableFromInline package let scale: Float
  /// The range of the fused activation.
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
