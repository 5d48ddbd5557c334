//===--- Float32Pool.swift - pooling --------------------------------------===//
//
// Arguments of maxima and sums over windows with the same number of pixels, per channel.
//===----------------------------------------------------------------------===//

/// Windows of an image of floats.
@usableFromInline
package struct Float32Pool {
  /// The first pixel of the first window.
  @usableFromInline package let x: UnsafePointer<Float>
  /// The distance between consecutive windows.
  @usableFromInline package let windowStride: Int
  @usableFromInline package let windows: Int
  /// The rows and columns of a window, in pixels.
  @usableFromInline package let rows, columns: Int
  /// The distance between consecutive rows of a window.
  @usableFromInline package let rowStride: Int
  /// The number of channels.
  @usableFromInline package let depth: Int
  /// One row per window.
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
