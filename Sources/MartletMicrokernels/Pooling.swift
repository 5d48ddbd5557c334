//===--- Pooling.swift - arguments of pooling -----------------------------===//
//
// Maxima and sums over the channels of windows that see as many pixels each.
//
// Checked   Tests/MartletKernelsTests/PoolingTests.swift
//===----------------------------------------------------------------------===//

/// Windows of an image of floats.
@usableFromInline
package struct Float32Pool {
  /// The first window's first pixel.
  @usableFromInline package let x: UnsafePointer<Float>
  /// From a window to the next.
  @usableFromInline package let windowStride: Int
  @usableFromInline package let windows: Int
  /// The pixels of a window.
  @usableFromInline package let rows, columns: Int
  /// From a row of a window to the one below it.
  @usableFromInline package let rowStride: Int
  /// The channels.
  @usableFromInline package let depth: Int
  /// A row for each window.
  @usableFromInline package let y: MutableMatrix<Float>

  @inlinable @inline(__always)
  package init(
    x: UnsafePointer<Float>, windowStride: Int, windows: Int, rows: Int, columns: Int,
    rowStride: Int, depth: Int, y: MutableMatrix<Float>
  ) {
    self.x = x
    self.windowStride = windowStride
    self.windows = windows
    self.rows = rows
    self.columns = columns
    self.rowStride = rowStride
    self.depth = depth
    self.y = y
  }
}
