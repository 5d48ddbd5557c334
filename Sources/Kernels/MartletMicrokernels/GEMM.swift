//===--- GEMM.swift - matrix products -------------------------------------===//
//
// GEMM multiplies a matrix by a panel of packed weights, GEMV one row. A panel has as many columns
// as a tile is wide; unused columns are zero.
//
// Contract  Output bits do not depend on how rows and columns are split.
//===----------------------------------------------------------------------===//

/// The weights of the columns of a panel: one row, as wide as the panel, per element of the depth.
@usableFromInline
package struct PanelWeights<Element> {
  /// One bias per column.
  @usableFromInline package let bias: UnsafePointer<Element>
  @usableFromInline package let start: UnsafePointer<Element>
  /// The distance from the weights of a run of a row to those of the next run.
  @usableFromInline package let runStride: Int
  /// The number of columns of the panel: one vector or two.
  @usableFromInline package let width: Int

  @inlinable @inline(__always)
  package init(
    bias: UnsafePointer<Element>, start: UnsafePointer<Element>, runStride: Int, width: Int
  ) {
    self.bias = bias
    self.start = start
    self.runStride = runStride
    self.width = width
  }
}

/// y[i][j] = clamp(bias[j] + Σ over k of x[i][k] * w[k][j]), floats.
@usableFromInline
package struct Float32GEMM {
  /// A row consists of runs that start at its address: one, or one per row of taps of a window.
  @usableFromInline package let x: Matrix<Float>
  @usableFromInline package let rows: Int
  @usableFromInline package let runs: Runs
  @usableFromInline package let weights: PanelWeights<Float>
  @usableFromInline package let y: MutableMatrix<Float>
  /// The number of columns that are written.
  @usableFromInline package let columns: Int
  /// The range of the fused activation.
  @usableFromInline package let range: ClosedRange<Float>

  @inlinable @inline(__always)
  package init(
    x: Matrix<Float>, rows: Int, runs: Runs, weights: PanelWeights<Float>, y: MutableMatrix<Float>,
    columns: Int, range: ClosedRange<Float>
  ) {
    self.x = x
    self.rows = rows
    self.runs = runs
    self.weights = weights
    self.y = y
    self.columns = columns
    self.range = range
  }
}

/// The same for one row and several consecutive panels that are two vectors wide, each with its
/// biases before its weights.
@usableFromInline
package struct Float32GEMV {
  @usableFromInline package let x: UnsafePointer<Float>
  @usableFromInline package let depth: Int
  @usableFromInline package let panels: UnsafePointer<Float>
  @usableFromInline package let panelCount: Int
  @usableFromInline package let y: UnsafeMutablePointer<Float>
  /// The number of columns that are written.
  @usableFromInline package let columns: Int
  /// The range of the fused activation.
  @usableFromInline package let range: ClosedRange<Float>

  @inlinable @inline(__always)
  package init(
    x: UnsafePointer<Float>, depth: Int, panels: UnsafePointer<Float>, panelCount: Int,
    y: UnsafeMutablePointer<Float>, columns: Int, range: ClosedRange<Float>
  ) {
    self.x = x
    self.depth = depth
    self.panels = panels
    self.panelCount = panelCount
    self.y = y
    self.columns = columns
    self.range = range
  }
}

/// sum[i][j] = bias[j] + Σ over k of x[i][k] * w[k][j], 16-bit integers in pairs along the depth.
@usableFromInline
package struct Int16GEMM {
  /// One pair in each element.
  @usableFromInline package let x: Matrix<Int32>
  @usableFromInline package let rows: Int
  /// The number of pairs of a row.
  @usableFromInline package let pairs: Int
  /// A bias and the four fields of a factor per column (see `Int32Requantize`), each field as a row
  /// of the panel; then the weights as [pairs][width].
  @usableFromInline package let panel: UnsafePointer<Int32>
  /// The number of columns of the panel, all of which are written.
  @usableFromInline package let width: Int
  @usableFromInline package let sums: MutableMatrix<Int32>

  @inlinable @inline(__always)
  package init(
    x: Matrix<Int32>, rows: Int, pairs: Int, panel: UnsafePointer<Int32>, width: Int,
    sums: MutableMatrix<Int32>
  ) {
    self.x = x
    self.rows = rows
    self.pairs = pairs
    self.panel = panel
    self.width = width
    self.sums = sums
  }
}
