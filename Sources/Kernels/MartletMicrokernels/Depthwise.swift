//===--- Depthwise.swift - depthwise convolutions -------------------------===//
//
// Arguments of depthwise convolutions, for adjacent outputs that use the same taps. Each channel
// has its own filter.
//===----------------------------------------------------------------------===//

/// The taps of a window, or their weights.
@usableFromInline
package struct Taps<Element> {
  /// The first tap of the first output.
  @usableFromInline package let start: UnsafePointer<Element>
  /// The distance from a tap to the one below it.
  @usableFromInline package let rowStride: Int
  /// The distance from a tap to the one to its right.
  @usableFromInline package let columnStride: Int

  @inlinable @inline(__always)
  package init(start: UnsafePointer<Element>, rowStride: Int, columnStride: Int) {
    self.start = start
    self.rowStride = rowStride
    self.columnStride = columnStride
  }
}

/// y[p][c] = clamp(bias[c] + Σ over taps t of x[p + t][c] * w[t][c]), floats.
@usableFromInline
package struct Float32Depthwise {
  @usableFromInline package let x: Taps<Float>
  /// The distance between the first taps of consecutive outputs.
  @usableFromInline package let pixelStride: Int
  /// The number of outputs.
  @usableFromInline package let pixels: Int
  @usableFromInline package let weights: Taps<Float>
  @usableFromInline package let bias: UnsafePointer<Float>
  @usableFromInline package let channels: Int
  @usableFromInline package let tapRows, tapColumns: Int
  /// One row per output.
  @usableFromInline package let y: MutableMatrix<Float>
  /// The range of the fused activation.
  @usableFromInline package let range: ClosedRange<Float>

  @inlinable @inline(__always)
  package init(
    x: Taps<Float>, pixelStride: Int, pixels: Int, weights: Taps<Float>, bias: UnsafePointer<Float>,
    channels: Int, tapRows: Int, tapColumns: Int, y: MutableMatrix<Float>, range: ClosedRange<Float>
  ) {
    self.x = x
    self.pixelStride = pixelStride
    self.pixels = pixels
    self.weights = weights
    self.bias = bias
    self.channels = channels
    self.tapRows = tapRows
    self.tapColumns = tapColumns
    self.y = y
    self.range = range
  }
}

/// The same for 16-bit integers, without a range: the sums of a panel's channels, taps in pairs.
@usableFromInline
package struct Int16Depthwise {
  /// The first tap of the first output.
  @usableFromInline package let x: UnsafePointer<Int16>
  /// The distance of each tap from the first; an even number of taps.
  @usableFromInline package let tapOffsets: UnsafePointer<Int>
  /// The number of pairs of taps.
  @usableFromInline package let pairs: Int
  /// The distance between the first taps of consecutive outputs.
  @usableFromInline package let pixelStride: Int
  /// The number of outputs.
  @usableFromInline package let pixels: Int
  /// As in `Int16GEMM`, with pairs of taps.
  @usableFromInline package let panel: UnsafePointer<Int32>
  /// The number of channels of the panel, all of which are read and written.
  @usableFromInline package let width: Int
  /// The sums, consecutive in memory.
  @usableFromInline package let sums: UnsafeMutablePointer<Int32>

  @inlinable @inline(__always)
  package init(
    x: UnsafePointer<Int16>, tapOffsets: UnsafePointer<Int>, pairs: Int, pixelStride: Int,
    pixels: Int, panel: UnsafePointer<Int32>, width: Int, sums: UnsafeMutablePointer<Int32>
  ) {
    self.x = x
    self.tapOffsets = tapOffsets
    self.pairs = pairs
    self.pixelStride = pixelStride
    self.pixels = pixels
    self.panel = panel
    self.width = width
    self.sums = sums
  }
}
